/**
 * Finds the character that separates the columns. The headings decide, never the rows, where decimal commas and notes
 * mislead. If the headings can be read in two ways, a fault asks the user for `--delimiter`.
 */
import { Fault } from '../../domain/fault.ts';
import { unreadable } from '../unreadable.ts';

const candidates: readonly string[] = [',', ';', '\t', '|'];

/** Number of lines that are examined; titles take up a few of them. */
const lookedAtLines = 30;

const nameOf = (delimiter: string): string => (delimiter === '\t' ? 'TAB' : delimiter);

/** Reads what the user typed for `--delimiter`: the character itself, or its name. Fault `usage` if it cannot separate columns. */
export function delimiterFrom(stated: string): string {
  const named = new Map([
    ['tab', '\t'],
    ['\\t', '\t'],
    ['comma', ','],
    ['semicolon', ';'],
    ['pipe', '|'],
  ]).get(stated.toLowerCase());
  const delimiter = named ?? stated;
  if (delimiter.length === 1 && !/["\r\n\0]/.test(delimiter) && delimiter.charCodeAt(0) < 128) return delimiter;
  throw new Fault('usage', `"${stated}" cannot separate columns.`, 'Use one of: , ; TAB |');
}

/** Finds Excel's own first line, `sep=;`, which is not a row. `length` counts the characters of that line with its line break. */
export function separatorLine(text: string): { readonly delimiter: string; readonly length: number } | undefined {
  const found = /^"?sep=([^"\r\n])"?(?:\r\n|\r|\n|$)/i.exec(text);
  return found === null ? undefined : { delimiter: found[1] ?? ',', length: found[0].length };
}

/**
 * Returns the delimiter of a text that begins with titles, headings and the first rows. A line split by a character is a
 * title if that character does not split the next line, or if another character splits a later line into more fields and the
 * first one does not occur there. Fault `sheet-unreadable` if two characters are equally likely.
 */
export function findDelimiter(head: string): string {
  const lines = countsByLine(head);
  const readings = candidates
    .map((delimiter, index) => readingOf(delimiter, index, lines))
    .filter((reading) => reading !== undefined);
  const headings = readings.filter((reading) => !readings.some((other) => isWiderBelow(other, reading, lines)));
  const first = headings.toSorted((a, b) => a.line - b.line)[0];
  if (first === undefined) return ',';
  const alike = headings.filter(({ line }) => line === first.line);
  if (alike.length === 1) return first.delimiter;
  throw unreadable(
    `It is not clear what separates the columns: ${alike.map(({ delimiter }) => nameOf(delimiter)).join(' or ')}.`,
    'State it with --delimiter, for example --delimiter ";".',
  );
}

interface Reading {
  readonly delimiter: string;
  readonly index: number;
  readonly line: number;
  /** How often the delimiter occurs in that line. */
  readonly count: number;
}

function readingOf(delimiter: string, index: number, lines: readonly (readonly number[])[]): Reading | undefined {
  const line = lines.findIndex((counts, at) => {
    const next = lines[at + 1];
    return (counts[index] ?? 0) > 0 && (next === undefined || (next[index] ?? 0) > 0);
  });
  return line === -1 ? undefined : { delimiter, index, line, count: lines[line]?.[index] ?? 0 };
}

const isWiderBelow = (other: Reading, reading: Reading, lines: readonly (readonly number[])[]): boolean =>
  other.line > reading.line && other.count > reading.count && lines[other.line]?.[reading.index] === 0;

/** Counts, for each line that is not blank, how often each candidate occurs outside quotes. */
function countsByLine(head: string): readonly (readonly number[])[] {
  const lines: number[][] = [];
  let counts = candidates.map(() => 0);
  let isQuoted = false;
  let isBlank = true;
  const endLine = () => {
    if (!isBlank) lines.push(counts);
    counts = candidates.map(() => 0);
    isBlank = true;
  };
  for (const character of head) {
    if (lines.length >= lookedAtLines) break;
    if (character === '"') isQuoted = !isQuoted;
    const isBreak = !isQuoted && (character === '\n' || character === '\r');
    if (isBreak) endLine();
    else if (character.trim() !== '' || character === '\t') isBlank = false;
    const candidate = isQuoted ? -1 : candidates.indexOf(character);
    if (candidate !== -1) counts[candidate] = (counts[candidate] ?? 0) + 1;
  }
  endLine();
  return lines.slice(0, lookedAtLines);
}
