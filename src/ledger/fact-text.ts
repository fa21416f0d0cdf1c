/**
 * What the service or a person told in a fact may name people. It is kept beside the fact, under a salt of its own, and the fact
 * commits to it as a plan does to its rows (`commitment.ts`): without the text, the facts still prove each other. A `null` marks
 * the place in the fact, so that what is put together again is what was taken apart, key by key.
 *
 * What moves an order (status, amounts, receipt, result code) is never in it: `advance` comes to the same state without.
 */
import type { BatchFact, Fact } from '../domain/fact.ts';
import { wordsDeny } from '../domain/line-status.ts';
import { PURGED } from '../domain/purged.ts';
import { factTextHash, type NewSalt } from './commitment.ts';

/** What stands in place of a text that was deleted; undefined: nothing, as if it had not been told. */
type Blank = string | undefined;

/** A field that may name people. `isPlain`: what it says names nobody, or decides what became of the money. */
interface Told {
  readonly blank: Blank;
  readonly isPlain?: (text: string) => boolean;
}

const words: Told = { blank: PURGED };
const note: Told = { blank: undefined };

/** Words for a status that services have been seen to use. */
const PLAIN_STATUS = /^(?:completed|pending|queued|processing|rejected|timed ?out|status \d{1,9}|)$/i;

const answer: Told = { blank: PURGED, isPlain: (text) => /^HTTP \d{3}$/.test(text) };
const stop: Told = { blank: PURGED, isPlain: (text) => text === 'finished' || text === 'interrupted' };

/** Of each kind of fact: the fields themselves. */
const toldFields: Readonly<Record<string, Readonly<Record<string, Told>>>> = {
  'order-answered': { reason: answer },
  'order-alarmed': { reason: words },
  'order-resolved': { note },
  'order-reject-requested': { note },
  'order-said-absent': { note },
  'run-stopped': { reason: stop },
} satisfies Partial<Record<(Fact | BatchFact)['type'], Readonly<Record<string, Told>>>>;

/** The fields of each report of the service on a line. */
const reportFields: Readonly<Record<string, Told>> = {
  statusText: { blank: '', isPlain: (text) => PLAIN_STATUS.test(text) || wordsDeny(text) },
  resultText: note,
  creditParty: note,
  heldName: note,
};

/** Where `order-observed` has such reports. */
const REPORTS = ['lines', 'repeats'] as const;

type Fields = Record<string, unknown>;

/** A text that was taken out of a fact, and the salt under which the fact commits to it. */
export interface KeptText {
  readonly text: string;
  readonly salt: string;
}

/** Takes out of a fact what may name people, and leaves a hash of it; a fact that names nobody is given back as it is. */
export function takeApart<F extends object>(
  type: string,
  data: F,
  newSalt: NewSalt,
): { readonly data: object; readonly kept?: KeptText } {
  const taken: Fields = {};
  const left = type === 'order-observed' ? withoutReports(data, taken) : without(data, toldFields[type], taken);
  if (left === data) return { data };
  const kept = { text: JSON.stringify(taken), salt: newSalt() };
  return { data: { ...left, textHash: factTextHash(kept) }, kept };
}

/** Puts the text back into the data of a fact; where it was deleted, what stands in its place. */
export function putTogether(type: string, said: Fields, text: string | undefined): object {
  if (said['textHash'] === undefined) return said;
  const { textHash, ...data } = said;
  const taken: Fields | undefined = text === undefined ? undefined : JSON.parse(text);
  return type === 'order-observed' ? withReports(data, taken) : withTexts(data, toldFields[type], taken);
}

/** At the end of the data of a fact, where `takeApart` has put it: no text in it can read like this, for its quotes are escaped. */
const TEXT_HASH = /"textHash":"([0-9a-f]{64})"\}$/;

/** The hash of a text that the data of a fact commits to; undefined when it commits to none. */
export const textHashIn = (data: string): string | undefined => TEXT_HASH.exec(data)?.[1];

function without<F extends object>(data: F, fields: Readonly<Record<string, Told>> = {}, taken: Fields): F {
  let left = data;
  for (const [field, { isPlain }] of Object.entries(fields)) {
    const text = (data as Fields)[field];
    if (typeof text !== 'string' || isPlain?.(text)) continue;
    taken[field] = text;
    left = { ...left, [field]: null };
  }
  return left;
}

function withTexts(data: Fields, fields: Readonly<Record<string, Told>> = {}, taken: Fields | undefined): Fields {
  return Object.fromEntries(
    Object.entries(data).flatMap(([field, value]) => {
      const told = value === null ? fields[field] : undefined;
      if (!told) return [[field, value]];
      const text = taken ? taken[field] : told.blank;
      return text === undefined ? [] : [[field, text]];
    }),
  );
}

/** A report without a text of its own leaves nothing behind, so that the places of the others count. */
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
