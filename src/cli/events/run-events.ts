/** What a run tells with `--json`, as a schema: one entry, one type of event. The compiler asks for one that is missing. */
import { z } from 'zod';
import type { RunEvent } from '../../domain/event.ts';
import { type Outcome, outcomes } from '../../domain/outcome.ts';
import type { RowRecord } from '../../domain/row-record.ts';

export const money = z.strictObject({ amount: z.string(), currency: z.string() });
const text = z.string();
export const count = z.int().min(0);
const [first, ...others] = outcomes;
export const outcome = z.enum([first as Outcome, ...others]); // the table has entries
export const counts = z.strictObject(
  Object.fromEntries(outcomes.map((one) => [one, count])) as Record<Outcome, typeof count>, // every key of the table
);

/** Those fields of a row that are always there; the rest is told where it is known. */
const rowShape = {
  batch: text,
  sandbox: z.boolean(),
  sheet: text,
  row: count,
  plannedAt: text,
  outcome,
  payAgain: text,
  reason: text,
  cells: z.array(text).optional(),
  kind: text.optional(),
  reference: text.optional(),
  name: text.optional(),
  destination: text.optional(),
  amount: text.optional(),
  currency: text.optional(),
  feeQuoted: text.optional(),
  feeCharged: text.optional(),
  debit: text.optional(),
  receipt: text.optional(),
  completedAt: text.optional(),
  resultCode: text.optional(),
  order: text.optional(),
  serviceId: text.optional(),
  attempt: count.optional(),
} satisfies Record<keyof RowRecord, z.ZodType>;

export const rowRecord = z.strictObject(rowShape);

const sum = { count, amount: money };
const named = z.strictObject({ row: count, cell: text, name: text, amount: money });
const sumWithRows = z.strictObject({ ...sum, rows: z.array(named) });

const earlier = {
  paidBefore: z
    .strictObject({
      ...sum,
      held: z.strictObject(sum),
      batches: z.array(z.strictObject({ batch: text, date: text, isHeld: z.boolean(), ...sum, rows: z.array(named) })),
    })
    .optional(),
  changedPayees: z
    .strictObject({
      count,
      rows: z.array(
        z.strictObject({
          row: count,
          name: text,
          reference: text.optional(),
          from: text,
          to: text,
          batch: text,
          rowThen: count,
        }),
      ),
    })
    .optional(),
  newPayees: sumWithRows.optional(),
  lastTime: z
    .strictObject({
      batch: text,
      date: text,
      paid: z.strictObject(sum),
      newPeople: sumWithRows,
      gonePeople: sumWithRows,
      changedAmounts: z.strictObject({
        count,
        rows: z.array(named.extend({ was: money })),
        more: money,
        less: money,
      }),
    })
    .optional(),
  unusualAmounts: z.strictObject({ count, rows: z.array(named.extend({ usual: money, payments: count })) }).optional(),
};

const statement = z.strictObject({
  kinds: z.array(z.strictObject({ kind: text, title: text, ...sum, charges: money })),
  count,
  people: count,
  total: money,
  charges: money,
  needed: money,
  balance: money,
  after: money,
  largest: z.array(z.strictObject({ row: count, name: text, amount: money })),
  aboveEdge: z.array(z.strictObject({ row: count, amount: money, saving: money })),
  owed: z
    .strictObject({
      amount: money,
      batches: z.array(z.strictObject({ batch: text, rows: count, amount: money })),
    })
    .optional(),
  covered: z.strictObject({ rows: count, amount: money, charges: money }).optional(),
  upTo: count.optional(),
  payees: z
    .strictObject({
      match: count,
      closeMatch: count,
      noMatch: count,
      notPossible: count,
      paidBefore: count.optional(),
    })
    .optional(),
  ...earlier,
});

const steps = { done: count, of: count };
const mapping = z.strictObject({ name: text, sha256: text });

/** The fields of an event beside `v`, `at` and `type`. */
type Shape = Readonly<Record<string, z.ZodType>>;

export const runEvents = {
  start: {
    command: text,
    version: text,
    profile: text,
    sandbox: z.boolean(),
    service: text.optional(),
    clientId: text.optional(),
    tokenService: text.optional(),
    configuration: text.optional(),
  },
  sheet: { name: text, worksheet: text.optional() },
  columns: {
    headerRow: count,
    headings: z.array(
      z.strictObject({
        column: count,
        text,
        means: text.optional(),
        by: z.enum(['alias', 'mapping']).optional(),
      }),
    ),
    mapping: mapping.optional(),
  },
  'row.problem': {
    row: count.nullable(),
    cell: text.nullable(),
    code: text,
    level: z.enum(['error', 'warning']),
    message: text,
    fix: text,
    value: text,
    repair: z.strictObject({ to: text, why: z.array(text) }).optional(),
  },
  'sheet.summary': {
    rows: count,
    ready: count,
    withErrors: count,
    errors: count,
    warnings: count,
    total: money.optional(),
    leftOut: z.strictObject({ rows: count, amount: money, unread: count.optional() }).optional(),
  },
  'row.left-out': { row: count, name: text, reason: text, amount: money.optional() },
  statement: { statement },
  earlier,
  batch: {
    batch: text,
    sheet: text,
    rows: count,
    payable: count,
    total: money,
    maker: text,
    plannedAt: text,
    timezone: text,
  },
  'batch.planned': { batch: text, payouts: count },
  'ledger.head': { seq: count, hash: text, key: text, signature: text },
  progress: {
    ...steps,
    waiting: count,
    counts,
    failed: count,
    paid: money.optional(),
    awaits: z
      .strictObject({
        for: z.enum(['first-payments', 'service', 'final-words']),
        until: z.number().optional(),
      })
      .optional(),
  },
  'reconcile.progress': { ...steps, leftMs: count },
  payee: {
    row: count,
    name: text,
    payee: text,
    amount: money,
    verdict: text,
    holder: text.optional(),
    reason: text.optional(),
  },
  payees: {
    asked: count,
    verdicts: z.array(z.strictObject({ verdict: text, ...sum })),
    paidBefore: z.strictObject(sum).optional(),
  },
  'payees.progress': steps,
  'row.outcome': rowShape,
  reject: { row: count, end: text, reason: text.optional() },
  notice: {
    level: z.enum(['info', 'warning', 'alarm']),
    message: text,
    code: text.optional(),
    waitSeconds: count.optional(),
  },
  period: {
    schedule: text,
    period: text,
    day: text,
    point: z.enum(['waiting', 'sent', 'finished', 'in-doubt', 'alarm', 'missed']),
    batch: text,
    until: z.number(),
    exit: count,
    why: text.optional(),
    told: z.boolean(),
  },
  worker: {
    point: z.enum(['ready', 'waiting', 'begun', 'handed-on', 'over', 'later', 'left', 'alarm']),
    batch: text.optional(),
    exit: count.optional(),
    message: text.optional(),
  },
  file: { kind: text, path: text },
} as const satisfies Record<RunEvent['type'], Shape>;
