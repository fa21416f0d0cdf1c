/**
 * All differences between the SQL of PostgreSQL and the SQL that statements and tables are written in. Both databases accept
 * everything else as it is.
 */
import { Fault } from '../../domain/fault.ts';
import type { SqlValue } from '../database.ts';

/** What the text of a table says, and what PostgreSQL gets instead. */
const inTables: readonly (readonly [RegExp, string])[] = [
  // SQLite's integers have 64 bits under every name.
  [/\bINTEGER\b/g, 'BIGINT'],
  [/\bBLOB\b/g, 'BYTEA'],
  // SQLite compares the bytes of texts. The order of a language would split a proof into blocks at other places, and change
  // with the system.
  [/\bTEXT\b/g, 'TEXT COLLATE "C"'],
];

/** Returns the statement that creates a table or an index on PostgreSQL. */
export const tableText = (sql: string): string => inTables.reduce((text, [from, to]) => text.replace(from, to), sql);

/** Bytes as hexadecimal digits, in the notation of SQLite. */
const DIGITS = /\blower\(hex\(([\w.]+)\)\)/g;

/** Returns a statement with `$1`, `$2` and so on instead of every `?` that stands for a value. */
export function numberedText(sql: string): string {
  let number = 0;
  return sql
    .replace(DIGITS, "encode($1, 'hex')")
    .replace(/'[^']*'|\?/g, (part) => (part === '?' ? `$${++number}` : part));
}

/**
 * Returns a value as it is sent, in text format. Throws a Fault `ledger-unsafe` for a text that PostgreSQL would refuse
 * (U+0000), or that would be sent as another one (half of a surrogate pair), so that the proof would find it changed. SQLite
 * does keep U+0000.
 */
export function sentValue(value: SqlValue): string | Uint8Array | null {
  if (value === null || value instanceof Uint8Array) return value;
  if (typeof value !== 'string') return String(value);
  if (isKept(value)) return value;
  throw new Fault(
    'ledger-unsafe',
    'A text has a character that PostgreSQL cannot keep (U+0000, or half of one), so nothing of its group was recorded.',
    'Remove the character from the sheet or the setting that contains it, then run the same command again.',
  );
}

/** Reports whether PostgreSQL keeps a text as it is. */
export const isKept = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Object ids of the types that queries return. */
const INT8 = 20;
const INT4 = 23;
const INT2 = 21;
/** The type of sums of `bigint` columns: integers, and beyond 64 bits only if a ledger is damaged. */
const NUMERIC = 1700;
const BYTEA = 17;

/**
 * Returns the parser of a type for values in text format. Every integer becomes a bigint, and bytes stay bytes, as from
 * SQLite.
 */
export function readerOf(type: number): (text: string) => unknown {
  const isInteger = type === INT8 || type === INT4 || type === INT2 || type === NUMERIC;
  if (type === BYTEA) return bytesIn;
  return isInteger ? BigInt : asItIs;
}

/**
 * Parses bytes, which arrive as `\x` and hexadecimal digits, or as characters from a role or server with `bytea_output =
 * escape`.
 */
function bytesIn(text: string): Uint8Array {
  if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex');
  const characters = text.replace(/\\(\\|[0-7]{3})/g, (_, said: string) =>
    said === '\\' ? said : String.fromCharCode(Number.parseInt(said, 8)),
  );
  return Buffer.from(characters, 'latin1');
}

const asItIs = (text: string): string => text;
