/** The money statement as a plan keeps it: the same figures, with money written as text (`KES 1250.00`). */
import { z } from 'zod';
import { currencyOf } from '../domain/currency.ts';
import type { MoneyStatement } from '../domain/event.ts';
import type { BatchId } from '../domain/ids.ts';
import { decimalOf, type Money, parseAmount } from '../domain/money.ts';
import { outcomes } from '../domain/outcome.ts';

/** Longest text in a plan, in characters: a cell that was read, a name, a folder. */
const TEXT_CHARACTERS_MAX = 4096;
/** The most rows that each list of a statement names. */
const NAMED_MAX = 1000;

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
const payment = { row: number, cell: text, name: text, amount: money };
const named = z.strictObject(payment);
const repeated = named.extend({ paidTo: text.exactOptional() });
const sum = { count: number, amount: money };
const sumWithRows = z.strictObject({ ...sum, rows: z.array(named).max(NAMED_MAX).readonly() });

const shape = {
  kinds: z
    .array(z.strictObject({ kind: text, title: text, ...sum, charges: money }))
    .max(100)
    .readonly(),
  count: number,
  people: number,
  total: money,
  charges: money,
  needed: money,
  balance: money,
  after: money,
  largest: z
    .array(z.strictObject({ row: number, name: text, amount: money }))
    .max(NAMED_MAX)
    .readonly(),
  aboveEdge: z
    .array(z.strictObject({ row: number, amount: money, saving: money }))
    .max(NAMED_MAX)
    .readonly(),
  owed: z
    .strictObject({
      amount: money,
      batches: z
        .array(z.strictObject({ batch: batchId, rows: number, amount: money }))
        .max(NAMED_MAX)
        .readonly(),
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
  paidBefore: z
    .strictObject({
      ...sum,
      held: z.strictObject(sum),
      batches: z
        .array(
          z.strictObject({
            batch: batchId,
            date: text,
            isHeld: z.boolean(),
            ...sum,
            rows: z.array(repeated).max(NAMED_MAX).readonly(),
          }),
        )
        .max(NAMED_MAX)
        .readonly(),
    })
    .exactOptional(),
  changedPayees: z
    .strictObject({
      count: number,
      rows: z
        .array(
          z.strictObject({
            row: number,
            name: text,
            reference: text.exactOptional(),
            from: text,
            to: text,
            batch: batchId,
            rowThen: number,
            outcome: z.enum(outcomes).exactOptional(),
          }),
        )
        .max(NAMED_MAX)
        .readonly(),
    })
    .exactOptional(),
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
        rows: z
          .array(z.strictObject({ ...payment, was: money }))
          .max(NAMED_MAX)
          .readonly(),
        more: money,
        less: money,
      }),
    })
    .exactOptional(),
  unusualAmounts: z
    .strictObject({
      count: number,
      rows: z
        .array(z.strictObject({ ...payment, usual: money, payments: number }))
        .max(NAMED_MAX)
        .readonly(),
    })
    .exactOptional(),
  // Nobody approves a figure that the plan does not keep, so the compiler asks for each one.
} satisfies Record<keyof MoneyStatement, z.ZodType>;

export const statementSchema = z.strictObject(shape);
