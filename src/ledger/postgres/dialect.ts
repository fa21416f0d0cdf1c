/**
 * Where the SQL of PostgreSQL differs from the one that statements and tables are written in. Both databases take everything else
 * as it stands, so this is the whole of it.
 */
import { Fault } from '../../domain/fault.ts';
import type { SqlValue } from '../database.ts';

/** What stands in a table's text, and what PostgreSQL is told instead. */
const inTables: readonly (readonly [RegExp, string])[] = [
  // SQLite's integers have 64 bits under every name.
  [/\bINTEGER\b/g, 'BIGINT'],
  [/\bBLOB\b/g, 'BYTEA'],
  // SQLite compares the bytes of texts. A language's order would part a proof in other places, and change with the system.
  [/\bTEXT\b/g, 'TEXT COLLATE "C"'],
];

/** A text that makes a table or an index. */
export const tableText = (sql: string): string => inTables.reduce((text, [from, to]) => text.replace(from, to), sql);

/** Bytes as hexadecimal digits, as SQLite says it. */
const DIGITS = /\blower\(hex\(([\w.]+)\)\)/g;

/** A statement with `$1`, `$2` and so on in the place of every `?` that stands for a value. */
export function numberedText(sql: string): string {
  let number = 0;
  return sql
    .replace(DIGITS, "encode($1, 'hex')")
    .replace(/'[^']*'|\?/g, (part) => (part === '?' ? `$${++number}` : part));
}

/**
 * A value as it is sent, in text. Throws a Fault `ledger-unsafe` for a text that PostgreSQL would refuse (U+0000) or that would be
 * sent as another one (half of a surrogate pair): the proof would then find it changed. SQLite keeps the first.
 */
export function sentValue(value: SqlValue): string | Uint8Array | null {
  if (value === null || value instanceof Uint8Array) return value;
  if (typeof value !== 'string') return String(value);
  if (isKept(value)) return value;
  throw new Fault(
    'ledger-unsafe',
    'A text has a character that PostgreSQL cannot keep (U+0000, or half of one), so nothing of its group was recorded.',
    'Take the character out of the sheet or the setting that it stands in, then run the same command again.',
  );
}

/** Whether PostgreSQL keeps a text as it is. */
export const isKept = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Numbers of the types that queries give back. */
const INT8 = 20;
const INT4 = 23;
const INT2 = 21;
/** Sums of `bigint` columns: whole, and beyond 64 bits only where a ledger is damaged. */
const NUMERIC = 1700;
const BYTEA = 17;

/** How a value of a type is read, from its text. Every integer is a bigint, and bytes are bytes, as from SQLite. */
export function readerOf(type: number): (text: string) => unknown {
  const isInteger = type === INT8 || type === INT4 || type === INT2 || type === NUMERIC;
  if (type === BYTEA) return bytesIn;
  return isInteger ? BigInt : asItIs;
}

/** Bytes come as `\x` and their hexadecimal digits; of a role or server that is set to `bytea_output = escape`, as characters. */
function bytesIn(text: string): Uint8Array {
  if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex');
  const characters = text.replace(/\\(\\|[0-7]{3})/g, (_, said: string) =>
    said === '\\' ? said : String.fromCharCode(Number.parseInt(said, 8)),
  );
  return Buffer.from(characters, 'latin1');
}

const asItIs = (text: string): string => text;
