/** The money statement as a plan keeps it: the same figures, with money written as text (`KES 1250.00`). */
import { z } from 'zod';
import { currencyOf } from '../domain/currency.ts';
import type { MoneyStatement } from '../domain/event.ts';
import type { BatchId } from '../domain/ids.ts';
import { decimalOf, type Money, parseAmount } from '../domain/money.ts';
import { outcomes } from '../domain/outcome.ts';

/** Longest text in a plan, in characters: a cell that was read, a name, a folder. */
const TEXT_CHARACTERS_MAX = 4096;
/** The most rows that each list of a statement names, and the most kinds. */
const NAMED_MAX = 1000;
const KINDS_MAX = 100;

/** A text without a lone surrogate, which cannot be signed (RFC 8785). */
export const text = z
  .string()
  .max(TEXT_CHARACTERS_MAX)
  .refine((value) => value.isWellFormed());
/** A row number, or a count of rows, payments or warnings. */
export const number = z.int().min(0).max(1_000_000_000);

/** Returns money as a plan writes it: `KES 1250.00`. */
export const moneyRecord = ({ minor, currency }: Money): string => `${currency} ${decimalOf({ minor, currency })}`;

function moneyOf(record: string): Money | undefined {
  const [code = '', amount = ''] = record.split(' ');
  const currency = currencyOf(code);
  const parsed = currency && parseAmount(amount, currency);
  // Each amount has one text only; otherwise two plans could say the same in different bytes.
  return parsed?.ok && moneyRecord(parsed.money) === record ? parsed.money : undefined;
}

export const money = z
  .string()
  .max(60)
  .transform((record, context): Money => {
    const read = moneyOf(record);
    if (read) return read;
    context.addIssue({ code: 'custom', message: 'an amount with its currency' });
    return z.NEVER;
  });

export const batchId = text.transform((id) => id as BatchId); // the id is only compared and shown

/** What a statement is written with, in one kind of file. */
interface Writing<Text, Id, Count, Sum> {
  readonly text: Text;
  readonly batchId: Id;
  readonly number: Count;
  readonly money: Sum;
  /** A list of at most `most` entries. */
  readonly list: <Item extends z.ZodType>(item: Item, most: number) => z.ZodReadonly<z.ZodArray<Item>>;
}

/** Returns the shape of a statement, and of its findings about earlier batches alone. Plans and events have the same figures. */
export function statementShapes<
  Text extends z.ZodType,
  Id extends z.ZodType,
  Count extends z.ZodType,
  Sum extends z.ZodType,
>({ text, batchId, number, money, list }: Writing<Text, Id, Count, Sum>) {
  const sum = { count: number, amount: money };
  const named = z.strictObject({ row: number, cell: text, name: text, amount: money });
  const sumWithRows = z.strictObject({ ...sum, rows: list(named, NAMED_MAX) });
  const held = z.strictObject({
    batch: batchId,
    date: text,
    isHeld: z.boolean(),
    ...sum,
    rows: list(named.extend({ paidTo: text.exactOptional() }), NAMED_MAX),
  });
  const changed = z.strictObject({
    row: number,
    name: text,
    reference: text.exactOptional(),
    from: text,
    to: text,
    batch: batchId,
    rowThen: number,
    outcome: z.enum(outcomes).exactOptional(),
  });
  const earlier = {
    paidBefore: z.strictObject({ ...sum, held: z.strictObject(sum), batches: list(held, NAMED_MAX) }).exactOptional(),
    changedPayees: z.strictObject({ count: number, rows: list(changed, NAMED_MAX) }).exactOptional(),
    newPayees: sumWithRows.exactOptional(),
    lastTime: z
      .strictObject({
        batch: batchId,
        date: text,
        paid: z.strictObject(sum),
        newPeople: sumWithRows,
        gonePeople: sumWithRows,
        changedAmounts: z.strictObject({
          count: number,
          rows: list(named.extend({ was: money }), NAMED_MAX),
          more: money,
          less: money,
        }),
      })
      .exactOptional(),
    unusualAmounts: z
      .strictObject({ count: number, rows: list(named.extend({ usual: money, payments: number }), NAMED_MAX) })
      .exactOptional(),
  };
  const statement = {
    kinds: list(z.strictObject({ kind: text, title: text, ...sum, charges: money }), KINDS_MAX),
    count: number,
    people: number,
    total: money,
    charges: money,
    needed: money,
    balance: money,
    after: money,
    largest: list(z.strictObject({ row: number, name: text, amount: money }), NAMED_MAX),
    aboveEdge: list(z.strictObject({ row: number, amount: money, saving: money }), NAMED_MAX),
    owed: z
      .strictObject({
        amount: money,
        batches: list(z.strictObject({ batch: batchId, rows: number, amount: money }), NAMED_MAX),
      })
      .exactOptional(),
    covered: z.strictObject({ rows: number, amount: money, charges: money }).exactOptional(),
    upTo: number.exactOptional(),
    payees: z
      .strictObject({
        match: number,
        closeMatch: number,
        noMatch: number,
        notPossible: number,
        paidBefore: number.exactOptional(),
      })
      .exactOptional(),
    ...earlier,
    // Nobody approves a figure that the plan does not keep, so the compiler asks for each one.
  } satisfies Record<keyof MoneyStatement, z.ZodType>;
  return { earlier, statement };
}

const shapes = statementShapes({
  text,
  batchId,
  number,
  money,
  list: (item, most) => z.array(item).max(most).readonly(),
});

export const statementSchema = z.strictObject(shapes.statement);
