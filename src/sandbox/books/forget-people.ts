/**
 * Removes people from the books: names, phones and accounts of requests that are to be forgotten. Amounts, identifiers and
 * ends stay, so that wallets and look-ups are as before. The journal is rewritten, so no process may have it open.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Forgets, PURGED } from '../../domain/purged.ts';
import { replaceDurably } from '../../files/durable-file.ts';
import { type Fields, isFields, textInAnyCase } from '../fields.ts';
import { type BookFact, FILE_NAME, readFact } from './journal.ts';

/** Fields whose text says nothing about people, by their name in lower case. */
const KEPT: ReadonlySet<string> = new Set(
  [
    'originatorConversationId',
    'systemTraceAuditNumber',
    'systemConversationId',
    'checkoutReference',
    'mccmnc',
    'institutionCode',
    'callBackFormat',
    'serviceId',
  ].map((name) => name.toLowerCase()),
);
const KEPT_KINDS = /amount|url$|routeid$|duedate$|ccy$|currency|country/;

/**
 * A text that looks like a phone or an account keeps its first three digits, and the others become 0. The rules that
 * accepted it still accept it.
 */
const DIGITS = /^\+?\d[\d -]{3,}$/;
const SHOWN_DIGITS = 3;

/**
 * Removes people from the books, and returns the number of requests that were forgotten. `folder`: of the journal; without a
 * journal there is nothing to forget.
 */
export async function forgetPeople(folder: string, forgets: Forgets): Promise<number> {
  const file = join(folder, FILE_NAME);
  if (!existsSync(file)) return 0;
  const lines: string[] = [];
  let forgotten = 0;
  for (const [index, line] of wholeLines(readFileSync(file, 'utf8')).entries()) {
    const fact = readFact(line, index + 1);
    const after = await withoutPeople(fact, forgets);
    if (after !== fact) forgotten += 1;
    lines.push(after === fact ? line : JSON.stringify(after));
  }
  if (forgotten > 0) replaceDurably(file, lines.map((line) => `${line}\n`).join(''));
  return forgotten;
}

/** Returns the complete lines. A last line that was cut off was never reported in an answer. */
const wholeLines = (text: string): readonly string[] => text.split('\n').slice(0, -1);

/** Returns the fact, without its people if they are to be forgotten. */
async function withoutPeople(fact: BookFact, forgets: Forgets): Promise<BookFact> {
  const names = fact.type === 'requested' || fact.type === 'link-changed';
  if (!names || fact.purged || !(await forgets(idIn(fact.body), fact.at))) return fact;
  return { ...fact, purged: true, body: bare(fact.body) };
}

const idIn = (body: unknown): string => textInAnyCase(body, 'originatorConversationId').toLowerCase();

function bare(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return isKept(name.toLowerCase()) ? value : bareText(value);
  if (Array.isArray(value)) return value.map((item) => bare(item, name));
  if (!isFields(value)) return value;
  const fields: Fields = value;
  return Object.fromEntries(Object.entries(fields).map(([key, inner]) => [key, bare(inner, key)]));
}

const isKept = (name: string): boolean => KEPT.has(name) || KEPT_KINDS.test(name);

function bareText(text: string): string {
  if (text === '') return text;
  if (!DIGITS.test(text)) return PURGED;
  let shown = 0;
  return text.replace(/\d/g, (digit) => (shown++ < SHOWN_DIGITS ? digit : '0'));
}
