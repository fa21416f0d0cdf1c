/**
 * The end of a command, as a person reads it: what happened, the outcomes of the rows, the rows that were not completed, and the
 * next step.
 */
import { counted } from '../../domain/counted.ts';
import { exitCode } from '../../domain/exit-code.ts';
import type { BatchId } from '../../domain/ids.ts';
import { leftOutText } from '../../domain/left-out.ts';
import { moneyText } from '../../domain/money.ts';
import { type Outcome, outcomes, outcomeTable, rowsCounted } from '../../domain/outcome.ts';
import type { RowRecord } from '../../domain/row-record.ts';
import type { NextStep, RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { nextStepOf } from '../../results/next-step.ts';
import { columnsOf, fitted, LABEL_COLUMNS } from './columns.ts';
import type { Terminal, Tone } from './terminal.ts';

/** The kind of file that is announced together with what to do with it. */
const CHECKED = 'checked';

/** Prints the end of a command. `rows`: the first rows that were reported as not completed. */
export function sayEnd(t: Terminal, end: RunEnd, rows: readonly RowRecord[], seconds: number): void {
  const { files } = end;
  const next = nextStepOf(end);
  sayFault(t, end, next?.says);
  sayFigures(t, end);
  sayRows(t, end, rows);
  for (const { kind, path } of files) {
    if (kind === CHECKED) continue;
    const label = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
    t.say(`${label.padEnd(LABEL_COLUMNS)}${t.paint('strong', shown(path))}`);
  }
  if (files.length > 0) t.sayLabelled('Time', `${seconds.toFixed(1)} s`);
  sayAlarm(t, end);
  for (const { path } of files.filter(({ kind }) => kind === CHECKED)) {
    t.say();
    t.say(`A copy of your sheet with every problem marked:  ${t.paint('strong', shown(path))}`);
    if (!end.fault) t.say('Look at the marked cells. What you correct there, or leave, can be paid from the copy.');
  }
  if (next) sayNext(t, next);
  if (!t.isOnePlace) for (const { path } of files) t.answerPath(path);
}

function sayNext(t: Terminal, { before = [], says, command }: NextStep): void {
  const line = command === undefined ? says : `${says} ${command}`;
  // A command is copied as a whole, so it must be on one line.
  const isWhole = command === undefined || LABEL_COLUMNS + shown(line).length <= t.width;
  const lines = [...before, ...(isWhole ? [line] : [says, command])];
  for (const [at, text] of lines.entries()) t.sayLabelled(at === 0 ? 'Next' : '', text);
}

function sayFault(t: Terminal, { fault }: RunEnd, next: string | undefined): void {
  if (!fault) return;
  t.sayLabelled('ERROR', fault.message, 'bad');
  const lines = next === fault.remedy ? fault.details : [...fault.details, fault.remedy];
  for (const line of lines) t.sayLabelled('', line);
}

function sayFigures(t: Terminal, { counts, amounts, batch, leftOut }: RunEnd): void {
  if (!amounts || batch === undefined) return;
  t.say();
  for (const outcome of outcomes.filter((one) => counts[one] > 0)) {
    const title = outcomeTable[outcome].title.padEnd(18);
    t.say(`  ${t.paint(tones[outcome], title)} ${String(counts[outcome]).padStart(7)}`);
  }
  t.say(`  ${'Rows of the sheet'.padEnd(18)} ${String(rowsCounted(counts)).padStart(7)}`);
  t.say();
  const [paid, planned, fees] = [amounts.completed, amounts.planned, amounts.fees].map(moneyText);
  t.sayLabelled('Paid', `${paid} of ${planned}, fees ${fees}`);
  if (leftOut) t.sayLabelled('Left out', `${leftOutText(leftOut)}, as the sheet says; not in these figures`);
}

function sayRows(t: Terminal, { counts, batch, files }: RunEnd, rows: readonly RowRecord[]): void {
  if (rows.length === 0 || batch === undefined) return;
  const left = rowsCounted(counts) - counts.completed;
  t.say();
  t.sayLabelled('Rows', `${counted(left, 'row is', 'rows are')} not completed`);
  for (const line of rowLines(rows, t)) t.say(line);
  const more = left - rows.length;
  if (more > 0) {
    const where = files.some(({ kind }) => kind === 'results')
      ? 'in the results, worksheet Exceptions'
      : `in the results: paybatch report ${batch}`;
    t.say(`  … and ${counted(more, 'more row', 'more rows')}, ${where}`);
  }
  t.say();
}

/** Prints an alarm in addition to everything else: it is the one thing that must not be overlooked. */
function sayAlarm(t: Terminal, { batches, ...end }: RunEnd): void {
  for (const one of batches ?? [end]) sayAlarmOf(t, one, batches && one.batch);
}

/** `batch`: given where the end is that of several. */
function sayAlarmOf(t: Terminal, { exit, fault, overpaid }: RunEnd, batch?: BatchId): void {
  const where = batch === undefined ? '' : ` of ${shown(batch)}`;
  if (exit === exitCode.alarm && !overpaid && fault?.code !== 'alarm')
    t.sayLabelled('ALARM', `The service contradicts the plan${where}.`, 'bad');
  if (!overpaid) return;
  const rows = `${overpaid.rows.length === 1 ? 'row' : 'rows'} ${overpaid.rows.join(', ')}${where}`;
  const message = `The service shows more than was to be paid: ${moneyText(overpaid.tooMuch)} too much in ${rows}. Ask the provider to return it, and else the payees to pay it back; the worksheet Exceptions has the receipts.`;
  t.sayLabelled('ALARM', message, 'bad');
}

/** The tone of each outcome wherever a person reads it. */
const tones: Readonly<Record<Outcome, Tone>> = {
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
function rowLines(records: readonly RowRecord[], terminal: Terminal): readonly string[] {
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
