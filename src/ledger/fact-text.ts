/**
 * Takes texts that may name people out of facts, and puts them back. Text in a fact that came from the service or a person
 * is kept next to the fact, under its own salt, and the fact commits to it as a plan commits to its rows
 * (`commitment.ts`): without the text, the facts still prove each other. A `null` marks the place of the text in the fact,
 * so that putting it back restores the fact key by key.
 *
 * Values that move an order (status, amounts, receipt, result code) are never taken out: `advance` comes to the same state
 * without the texts.
 */
import type { BatchFact, Fact, LineReport } from '../domain/fact.ts';
import { wordsDeny } from '../domain/order-line.ts';
import { PURGED } from '../domain/purged.ts';
import { factTextHash, type NewSalt } from './commitment.ts';

/** A field that may name people. */
interface TextField {
  /** The replacement for a deleted text; `undefined` if the field is then left out, as if it had never been in the fact. */
  readonly blank: string | undefined;
  /** Reports whether a text names nobody, or decides what became of the money, so that it stays in the fact. */
  readonly isPlain?: (text: string) => boolean;
}

/** A field that stays in the fact, because no name, phone or account gets into it. */
const plain = null;
const words: TextField = { blank: PURGED };
const note: TextField = { blank: undefined };
const answer: TextField = { blank: PURGED, isPlain: (text) => /^HTTP \d{3}$/.test(text) };
const plainStops: ReadonlySet<string> = new Set(['finished', 'interrupted', 'handed on']);
const stop: TextField = { blank: PURGED, isPlain: (text) => plainStops.has(text) };

/** Status words that services have been seen to use. */
const PLAIN_STATUS = /^(?:completed|pending|queued|processing|rejected|timed ?out|status \d{1,9}|)$/i;
const status: TextField = { blank: '', isPlain: (text) => PLAIN_STATUS.test(text) || wordsDeny(text) };

type AnyFact = Fact | BatchFact;
type Judged<F> = { readonly [K in Exclude<keyof F, 'type' | 'at' | 'order' | 'batch'>]-?: TextField | null };

/**
 * The judgement on every field of every fact. A new field does not compile until it is judged here. Plans have commitments
 * of their own.
 */
const textFields: {
  readonly [T in Exclude<AnyFact['type'], 'order-planned' | 'batch-planned'>]: Judged<Extract<AnyFact, { type: T }>>;
} = {
  'order-claimed': { epoch: plain },
  'order-answered': { tag: plain, reason: answer, serviceId: plain },
  'order-unknown': { firstInRun: plain },
  // The fields of the reports themselves are judged in `reportFields`.
  'order-observed': {
    serviceId: plain,
    processed: plain,
    lines: plain,
    repeats: plain,
    lacking: plain,
    source: plain,
    callback: plain,
  },
  'order-refused': {},
  'order-overdue': {},
  'order-alarmed': { reason: words },
  'order-resolved': { trace: plain, paid: plain, by: plain, receipt: plain, note },
  'order-reject-requested': { by: plain, note },
  'order-said-absent': { by: plain, note },
  'order-retried': { trace: plain, replacedBy: plain },
  // Here `by` is a batch.
  'order-superseded': { traces: plain, by: plain },
  'row-set-aside': { row: plain, hash: plain, leftOut: plain },
  'retry-planned': { count: plain, total: plain, maker: plain, confirmation: plain, canary: plain },
  'attempts-found': { count: plain },
  'batch-purged': { by: plain, left: plain },
  'batch-stopped': { by: plain, reason: words },
  'batch-released': { by: plain, stop: plain },
  // Text that operators write about the ledger itself is about none of its payees.
  'client-id-changed': { from: plain, to: plain, by: plain, reason: plain },
  'signing-key-changed': { from: plain, to: plain, signatures: plain, by: plain, reason: plain },
  'approvers-changed': { to: plain, signatures: plain, by: plain },
  'run-started': { epoch: plain, holder: plain, version: plain, canary: plain, rowsMost: plain },
  'run-stopped': {
    epoch: plain,
    reason: stop,
    code: plain,
    todo: plain,
    wallet: plain,
  },
};

type Judgements = Readonly<Record<string, TextField | null>>;

const fieldsOf = (type: string): Judgements => (textFields as Readonly<Record<string, Judgements>>)[type] ?? {};

/** The judgement on every field of a report of the service about a line. */
const reportFields: { readonly [K in keyof LineReport]-?: TextField | null } = {
  trace: plain,
  status: plain,
  statusText: status,
  paidAmount: plain,
  feeAmount: plain,
  resultCode: plain,
  resultText: note,
  receipt: plain,
  tracking: plain,
  date: plain,
  creditParty: note,
  heldName: note,
};

/** The fields of `order-observed` that hold reports. */
const REPORTS = ['lines', 'repeats'] as const;

type Fields = Record<string, unknown>;

/** A text that was taken out of a fact, and the salt under which the fact commits to it. */
export interface KeptText {
  readonly text: string;
  readonly salt: string;
}

/** Takes the texts that may name people out of a fact, and leaves a hash of them. Returns a fact that names nobody as it is. */
export function takeApart<F extends object>(
  type: string,
  data: F,
  newSalt: NewSalt,
): { readonly data: object; readonly kept?: KeptText } {
  const taken: Fields = {};
  const left = type === 'order-observed' ? withoutReports(data, taken) : without(data, fieldsOf(type), taken);
  if (left === data) return { data };
  const kept = { text: JSON.stringify(taken), salt: newSalt() };
  return { data: { ...left, textHash: factTextHash(kept) }, kept };
}

/** Puts the texts back into the data of a fact, or their replacements if the texts were deleted. */
export function putTogether(type: string, said: Fields, text: string | undefined): object {
  if (said['textHash'] === undefined) return said;
  const { textHash, ...data } = said;
  const taken: Fields | undefined = text === undefined ? undefined : JSON.parse(text);
  return type === 'order-observed' ? withReports(data, taken) : withTexts(data, fieldsOf(type), taken);
}

/**
 * Matches the hash at the end of the data of a fact, where `takeApart` puts it. No text within the data can look like this,
 * because its quotes are escaped.
 */
const TEXT_HASH = /"textHash":"([0-9a-f]{64})"\}$/;

/** Returns the hash of the text that the data of a fact commits to, or `undefined` if it commits to none. */
export const textHashIn = (data: string): string | undefined => TEXT_HASH.exec(data)?.[1];

function without<F extends object>(data: F, fields: Judgements, taken: Fields): F {
  let left = data;
  for (const [field, text] of Object.entries(data)) {
    const naming = fields[field];
    if (!naming || typeof text !== 'string' || naming.isPlain?.(text)) continue;
    taken[field] = text;
    left = { ...left, [field]: null };
  }
  return left;
}

function withTexts(data: Fields, fields: Judgements, taken: Fields | undefined): Fields {
  return Object.fromEntries(
    Object.entries(data).flatMap(([field, value]) => {
      const naming = value === null && fields[field];
      if (!naming) return [[field, value]];
      const text = taken ? taken[field] : naming.blank;
      return text === undefined ? [] : [[field, text]];
    }),
  );
}

/**
 * Takes the texts out of reports. A report without any leaves an empty object, so that the texts of the others keep their
 * places.
 */
function withoutReports<F extends object>(data: F, taken: Fields): F {
  let left = data;
  for (const list of REPORTS) {
    const reports = (data as Fields)[list] as readonly object[] | undefined;
    if (!reports) continue;
    const texts: Fields[] = reports.map(() => ({}));
    const bare = reports.map((report, index) => without(report, reportFields, texts[index] ?? {}));
    if (bare.every((report, index) => report === reports[index])) continue;
    taken[list] = texts;
    left = { ...left, [list]: bare };
  }
  return left;
}

function withReports(data: Fields, taken: Fields | undefined): Fields {
  const lists = REPORTS.flatMap((list) => {
    const reports = data[list] as readonly Fields[] | undefined;
    if (!reports) return [];
    const texts = taken?.[list] as readonly Fields[] | undefined;
    return [[list, reports.map((report, index) => withTexts(report, reportFields, taken && (texts?.[index] ?? {})))]];
  });
  return { ...data, ...Object.fromEntries(lists) };
}
