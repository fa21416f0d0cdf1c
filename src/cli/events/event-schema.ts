/**
 * Every line that a command prints with `--json`, as one versioned schema. Within a version nothing is removed and no meaning
 * changes; only fields and types of events are added. So a reader must accept additional ones.
 */
import { z } from 'zod';
import { statementShapes } from '../../approval/statement-schema.ts';
import type { RunEvent } from '../../domain/event.ts';
import { type Outcome, outcomes } from '../../domain/outcome.ts';
import type { RowRecord } from '../../domain/row-record.ts';

const money = z.strictObject({ amount: z.string(), currency: z.string() });
const text = z.string();
const count = z.int().min(0);
const [first, ...others] = outcomes;
export const outcome = z.enum([first as Outcome, ...others]); // the table has entries
export const counts = z.strictObject(
  Object.fromEntries(outcomes.map((one) => [one, count])) as Record<Outcome, typeof count>, // every key of the table
);

/** The fields of a row: the required ones are always present, and the optional ones if they are known. */
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

const rowRecord = z.strictObject(rowShape);

const sum = { count, amount: money };
const { earlier, statement } = statementShapes({
  text,
  batchId: text,
  number: count,
  money,
  list: (item) => z.array(item).readonly(),
});

const head = z.strictObject({ seq: count, hash: text, key: text, signature: text });
const steps = { done: count, of: count };
const mapping = z.strictObject({ name: text, sha256: text });

/** The fields of an event in addition to `v`, `at` and `type`. */
type Shape = Readonly<Record<string, z.ZodType>>;

const runEvents = {
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
  statement: { statement: z.strictObject(statement) },
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
  'ledger.head': head.shape,
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
    timezone: text,
    exit: count,
    why: text.optional(),
    left: text.optional(),
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

/** Any value: another schema, or the service, decides its shape. */
const anything = z.unknown();
const figures = z.record(text, anything);

/** A holiday and its day. */
const holiday = z.strictObject({ day: text, name: text, isExpected: z.boolean() });

const operation = {
  name: text,
  method: text,
  path: text.nullable(),
  shape: text,
  repeatable: z.boolean(),
  summary: text,
  spec: text,
};
const checks = z.array(
  z.strictObject({
    check: text,
    title: text,
    result: text,
    message: text,
    fix: text.optional(),
    code: text.optional(),
    exit: count.optional(),
  }),
);
/** What is recorded about a period of a schedule. `isFromLater`: at a time that is still to come, so it settles nothing. */
const period = z.looseObject({
  period: text,
  state: text,
  isFromLater: z.literal(true).optional(),
  pay: text.optional(),
});
const coming = z.strictObject({
  schedule: text,
  period: text,
  day: text,
  at: text,
  batch: text,
  sheet: text,
  holidays: z.array(holiday),
  holidaysEnd: text.nullable(),
  recorded: period.optional(),
});
const schedule = z.looseObject({ name: text, sheet: text, timezone: text });
const settings = z.array(z.looseObject({ name: text, value: text }));
/** The place of the client secret: a file, or the keychain of the system. */
const kept = { secretFile: text.optional(), secretKeychain: text.optional() };
const word = { plan: text, batch: text, name: text };

const amounts = z.array(z.strictObject({ currency: text, planned: text, completed: text, fees: text }));
/** What may have been paid in spite of the counts, or was paid too much. */
const doubt = {
  unconfirmed: count.optional(),
  overpaid: z.strictObject({ rows: z.array(count), tooMuch: text }).optional(),
};

const answerEvents = {
  'api.answer': {
    operation: text,
    tag: text,
    status: count.optional(),
    value: anything.optional(),
    reason: text.optional(),
    forbidden: z.boolean().optional(),
    problem: anything.optional(),
    unsent: z.boolean().optional(),
    retryAfterMs: count.optional(),
  },
  'api.describe': { ...operation, alsoAt: z.array(text), query: anything, body: anything, reply: anything },
  'api.list': { operations: z.array(z.strictObject(operation)) },
  approver: { name: text, publicKey: text, file: text },
  'approvers-changed': { by: z.array(text), changes: z.array(text) },
  balance: { currency: text, balance: text },
  callback: { topic: text, subject: text, seq: count, receivedAt: text, fits: z.boolean() },
  charge: { kind: text, currency: text, amount: text, charge: text },
  charges: {
    kind: text,
    currency: text,
    bands: z.array(z.strictObject({ from: text, to: text, charge: text })),
  },
  'client-id-changed': { from: text, to: text, reason: text },
  completion: { shell: text, script: text },
  config: { settings },
  'config.check': {
    file: text.nullable(),
    profiles: z.array(text),
    mistakes: z.array(z.looseObject({ line: count, column: count, says: text })),
  },
  'config.trusted': { file: text, sha256: text, settings: anything },
  console: { url: text, profile: text, sandbox: z.boolean() },
  doctor: { profile: text.nullable(), sandbox: z.boolean().nullable(), checks },
  found: {
    rows: z.array(rowRecord.extend({ by: text, purgedAt: text.optional() })),
    more: count,
    purgedBatches: count,
  },
  help: { topic: text, text },
  history: {
    batches: z.array(
      z.strictObject({
        batch: text,
        sheet: text,
        plannedAt: text,
        rows: count,
        counts,
        currency: text,
        planned: text,
        completed: text.optional(),
        fees: text.optional(),
        unconfirmed: count.optional(),
        paidBefore: z.strictObject({ rows: count, batches: z.array(text), reason: text.optional() }).optional(),
        exit: count,
        purgedAt: text.optional(),
      }),
    ),
    atWork: z.array(z.strictObject({ batch: text, by: text, pid: count, host: text })).optional(),
  },
  init: {
    profile: text,
    file: text,
    ...kept,
    isDefault: z.boolean(),
    routes: z.array(z.looseObject({ kind: text })),
    overriddenBy: z.array(text),
    checks,
  },
  'ledger-backup': { path: text, bytes: count, replaced: z.boolean(), head: head.nullable(), keys: text.nullable() },
  'ledger-check': {
    place: text,
    relied: z.array(z.strictObject({ what: text, holds: z.boolean(), found: text, remedy: text.optional() })),
  },
  'ledger-grants': { schema: text, pay: z.array(text), read: z.array(text), script: text },
  'ledger-moved': { from: text, to: text, before: z.boolean(), head },
  'ledger-restored': { from: text, setAside: text.nullable(), head: head.nullable() },
  'ledger-upgraded': {
    place: text,
    from: count.nullable(),
    to: count.nullable(),
    kept: text.nullable(),
  },
  'ledger-separate': { profile: text, others: z.array(anything), clientId: text, reason: text },
  listened: {
    kept: count,
    repeated: count,
    preliminary: count,
    unreadable: count,
    unwritten: count,
    turnedAway: count,
  },
  listening: { url: text, origin: text, profile: text, topics: z.array(text), loopback: z.boolean() },
  login: { profile: text, clientId: text, ...kept, lifeSeconds: count.nullable() },
  logout: { profile: text, ...kept, wasKept: z.boolean(), sharers: z.array(text) },
  'lost-batch-closed': { batch: text, reason: text, left: z.array(text) },
  mapping: { name: text, sha256: text, path: text },
  'notify-test': { ways: z.array(text) },
  'plan-approved': { ...word, note: text.optional() },
  'plan-page': { plan: text, batch: text },
  'plan-declined': { ...word, reason: text },
  purged: {
    dryRun: z.boolean(),
    before: text,
    batches: z.array(z.strictObject({ batch: text, rows: count, lastFactAt: text })),
    kept: z.array(z.strictObject({ batch: text, keptBecause: text })),
  },
  sandbox: {
    url: text,
    clientId: text,
    clientSecret: text,
    controlToken: text,
    routes: z.array(z.looseObject({ routeId: text })),
  },
  'ledger-public-key': { ledger: text, key: text, file: text },
  'sandbox.books': { books: figures },
  'sandbox.reset': {},
  routes: {
    routes: z.array(
      z.strictObject({
        routeId: text,
        channelType: count,
        transactionTypeId: text,
        name: text,
        fits: z.array(text),
        pays: z.array(text),
      }),
    ),
  },
  schedule: { schedule, next: z.array(coming) },
  'schedule-export': { system: text, todo: z.array(text) },
  'schedule-holidays': { year: count, until: text.nullable(), holidays: z.array(holiday) },
  'schedule-next': { next: z.array(coming), missed: z.array(period) },
  'schedule-paused': { schedule: text },
  'schedule-removed': { schedule: text },
  'schedule-resumed': { schedule: text, skipped: z.array(anything), next: coming.nullable() },
  schedules: { schedules: z.array(schedule) },
  schema: { of: text, schema: figures },
  'signing-key-changed': { from: text, to: text, reason: text },
  template: { path: text, people: count.optional() },
  verify: {
    batch: text.nullable(),
    workbook: text.nullable(),
    older: z.strictObject({ workbook: count, ledger: count }).optional(),
    unstoredResults: count.optional(),
    hidden: z.array(text).optional(),
    withoutPictures: z.literal(true).optional(),
    purged: z.array(z.strictObject({ batch: text, at: text, by: text })).optional(),
    pack: text.optional(),
    head: head.optional(),
    notes: z.array(text).optional(),
    differences: z.array(text),
  },
  'worker-health': { url: text },
  whoami: {
    profile: text,
    organisation: text,
    configuration: text.nullish(),
    state: text,
    keys: text.nullish(),
    idNamespace: text,
    sandbox: z.boolean(),
    service: text,
    tokenUrl: text.optional(),
    clientId: text.optional(),
    scope: text.optional(),
    secretFrom: text.nullish(),
    token: z.boolean().optional(),
    lifeSeconds: count.nullish(),
  },
  drill: {
    payouts: count,
    once: count,
    twice: count,
    lost: count,
    falsePaid: count,
    falseUnpaid: count,
    openAtEnd: count,
    needWord: count,
    violations: z.array(text),
    kills: z.record(text, count),
    processes: count,
    sentAgain: count,
    repeats: figures,
    faults: figures,
  },
  fault: { code: text, message: text, details: z.array(text).optional(), fix: text },
  end: {
    exit: count,
    batch: text.nullable(),
    rows: z.strictObject({
      total: count,
      completed: count,
      rejected: count,
      refused: count,
      failed: count,
      timedOut: count,
      inDoubt: count,
      pending: count,
      unsent: count,
      invalid: count,
      leftOut: count,
    }),
    amounts,
    leftOut: z.strictObject({ rows: count, amount: text, unread: count.optional() }).optional(),
    superseded: z.strictObject({ rows: count, batches: z.array(text) }).optional(),
    ...doubt,
    batches: z.array(z.strictObject({ batch: text, exit: count, amounts, ...doubt })).optional(),
    atWork: z.strictObject({ by: text, pid: count, host: text, since: text.nullable() }).optional(),
    files: z.array(z.strictObject({ kind: text, path: text })),
    seconds: z.number().min(0),
  },
} as const satisfies Readonly<Record<string, Shape>>;

/** The version in the field `v` of each event. */
const VERSION = 1;
/** The dialect of JSON Schema that the schemas are written in. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const shapes: Readonly<Record<string, Shape>> = { ...runEvents, ...answerEvents };

/** Returns the schema of a type of event. `at` is optional, because some lines are printed without a clock. */
const schemaOf = (type: string, shape: Shape): z.ZodType =>
  z.strictObject({ v: z.literal(VERSION), at: z.iso.datetime().optional(), type: z.literal(type), ...shape });

const schemas: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries(shapes).map(([type, shape]) => [type, schemaOf(type, shape)]),
);

/** Returns what is wrong with an event, as text; `undefined` if it fits its schema and has no field that the schema does not list. */
export function eventMistake(event: Readonly<Record<string, unknown>>): string | undefined {
  const type = String(event['type']);
  const schema = schemas.get(type);
  if (!schema) return `there is no schema of the event ${type}`;
  const result = schema.safeParse(event);
  return result.success ? undefined : `${type}: ${z.prettifyError(result.error)}`;
}

/**
 * Returns the schema of all events as JSON Schema (2020-12), for programs that check what they read. It allows other fields,
 * because later ones may be added.
 */
export function eventJsonSchema(): Readonly<Record<string, unknown>> {
  const anyOf = [...schemas.values()].map((schema) => jsonSchemaOf(schema));
  return {
    $schema: DIALECT,
    title: `A line of paybatch --json, version ${VERSION}`,
    type: 'object',
    anyOf,
  };
}

/** Returns the schema of a line of `--jsonl` and of `report --format jsonl` as JSON Schema (2020-12). It allows other fields, too. */
export const rowJsonSchema = (): Readonly<Record<string, unknown>> => ({
  $schema: DIALECT,
  title: `A row and its outcome, version ${VERSION}`,
  ...jsonSchemaOf(schemaOf('row.outcome', runEvents['row.outcome'])),
});

/** Returns a schema as JSON Schema that later versions still fit, as long as they only add. */
function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _said, ...made } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      delete jsonSchema.readOnly;
    },
  });
  return made;
}
