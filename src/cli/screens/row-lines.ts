/** The rows that were not completed, for the person who has to act: payee, destination, amount, outcome, and reason. */
import { type Outcome, outcomeTable } from '../../domain/outcome.ts';
import type { RowRecord } from '../../domain/row-record.ts';
import { shown } from '../../domain/shown-text.ts';
import { columnsOf, fitted } from './columns.ts';
import type { Terminal, Tone } from './terminal.ts';

/** The tone of each outcome wherever a person reads it. */
export const tones: Readonly<Record<Outcome, Tone>> = {
  completed: 'good',
  rejected: 'bad',
  refused: 'bad',
  failed: 'bad',
  'timed-out': 'careful',
  'in-doubt': 'careful',
  pending: 'careful',
  unsent: 'quiet',
  invalid: 'bad',
  'left-out': 'quiet',
};

/** Most columns of a row where no screen sets an edge: most names and accounts are shorter. */
const PAGE_COLUMNS = 120;
/** The blanks between two cells, and before the first one. */
const GAP = '  ';
const PLACE_MIN = 8;
/** Most columns of a destination if the name next to it needs the room: enough for a phone with its country, or an account. */
const DESTINATION_USUAL = 17;

interface Cells {
  readonly row: string;
  readonly name: string;
  readonly destination: string;
  readonly amount: string;
  readonly outcome: Outcome;
  readonly why: string;
}

const cellsOf = ({ row, name = '', destination = '', amount, currency, outcome, reason }: RowRecord): Cells => ({
  row: String(row),
  name: shown(name),
  destination: shown(destination),
  amount: amount === undefined ? '' : `${currency} ${grouped(amount)}`,
  outcome,
  why: reason,
});

/** Returns a decimal text with commas between its thousands. */
const grouped = (decimal: string): string => decimal.replace(/\B(?=(?:\d{3})+(?=\.|$))/g, ',');

/**
 * Returns the lines of these rows. Consecutive rows with the same outcome and reason share it: it is printed once, below the last
 * of them.
 */
export function rowLines(records: readonly RowRecord[], terminal: Terminal): readonly string[] {
  const rows = records.map(cellsOf);
  const widest = (cell: (row: Cells) => string, least = 0): number =>
    Math.max(least, ...rows.map((row) => columnsOf(cell(row))));
  const [row, amount] = [widest((one) => one.row, 3), widest((one) => one.amount)];
  const outcome = widest((one) => outcomeTable[one.outcome].title);
  const room = Math.min(terminal.width, PAGE_COLUMNS) - row - amount - outcome - GAP.length * 5;
  const [name, destination] = places(
    widest((one) => one.name),
    widest((one) => one.destination),
    room,
  );
  return rows.flatMap((one, index) => {
    const cells = [
      one.row.padStart(row),
      fitted(one.name, name),
      // The last digits distinguish one account from another.
      fitted(one.destination, destination, 'end'),
      one.amount.padStart(amount),
      terminal.paint(tones[one.outcome], outcomeTable[one.outcome].title),
    ];
    const next = rows[index + 1];
    const isSaidBelow = next?.why === one.why && next.outcome === one.outcome;
    const why = one.why === '' || isSaidBelow ? [] : one.why.split('\n').map((line) => whyLine(line, row));
    return [`${GAP}${cells.join(GAP)}`, ...why];
  });
}

const whyLine = (text: string, indent: number): string => `${' '.repeat(indent + GAP.length * 2)}${shown(text)}`;

/** Returns the widths of names and of destinations, which share what is left of a line. */
function places(name: number, destination: number, room: number): readonly [number, number] {
  if (name + destination <= room) return [name, destination];
  const kept = Math.min(destination, Math.max(DESTINATION_USUAL, room - name));
  return [Math.max(PLACE_MIN, room - kept), Math.max(PLACE_MIN, Math.min(kept, room - PLACE_MIN))];
}
