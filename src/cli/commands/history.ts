/** `paybatch history`: the batches of the ledger, as text for people, as a table, and as an event for programs. */
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type BatchHeader, duplicateText } from '../../domain/batch.ts';
import { isoTime, localDate, localTime } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { Fault } from '../../domain/fault.ts';
import { decimalOf, moneyText } from '../../domain/money.ts';
import { openIn, outcomes, outcomeTable } from '../../domain/outcome.ts';
import { type PurgeRecord, purgedText } from '../../domain/purged.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { atWorkText } from '../../ledger/ledger.ts';
import { knownEnd } from '../../results/run-end.ts';
import { writtenDay } from '../../schedule/day.ts';
import { type CsvField, csvLines, writeCsv } from '../../sheet/writing/csv-writer.ts';
import { answered, cliCommand } from '../command.ts';
import { wholeNumber } from '../flags/options.ts';
import { outputFileOf } from '../flags/results-options.ts';
import { openRecords } from '../session.ts';
import type { Shell } from '../shell.ts';

/** A batch with its outcomes, sums and exit code. */
interface PastBatch extends Pick<RunEnd, 'counts' | 'amounts' | 'exit' | 'unconfirmed'> {
  readonly header: BatchHeader;
  /** When the people of the batch were deleted, and by whom; absent if they were not. */
  readonly purge?: PurgeRecord | undefined;
}

/** Returns the lines of a batch for people, with times in a zone (IANA name). */
function historyLines({ header, counts, exit, unconfirmed, purge }: PastBatch, timezone: string): readonly string[] {
  const repeated = duplicateText(header);
  const total = moneyText(header.total);
  const occurring = Object.entries(counts).filter(([, count]) => count > 0);
  return [
    `${localTime(header.plannedAt, timezone)}  ${header.id}  ${shown(header.sheet.name)}  ${total}`,
    `  ${occurring.map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`,
    ...(exit === exitCode.alarm
      ? [`  ALARM: the service contradicts the plan; to see where: paybatch status ${header.id}`]
      : []),
    ...(unconfirmed
      ? [
          `  ${counted(unconfirmed, 'row that counts', 'rows that count')} as not paid may have been paid; to find out: paybatch resume ${header.id}`,
        ]
      : []),
    ...(purge ? [`  ${purgedText(purge, timezone)}`] : []),
    ...(repeated === undefined ? [] : [`  ${shown(repeated)}`]),
  ];
}

/** Returns the record of a batch for programs. */
const historyRecord = ({ header, counts, amounts, unconfirmed, exit, purge }: PastBatch): object => ({
  batch: header.id,
  sheet: header.sheet.name,
  plannedAt: isoTime(header.plannedAt),
  rows: header.rows,
  counts,
  currency: header.currency,
  planned: decimalOf(header.total),
  completed: amounts && decimalOf(amounts.completed),
  fees: amounts && decimalOf(amounts.fees),
  unconfirmed,
  purgedAt: purge && isoTime(purge.at),
  paidBefore: header.paidBefore,
  exit,
});

/** Returns the table: its headings, then one line for each batch. */
const historyTable = (batches: readonly PastBatch[], timezone: string): readonly (readonly CsvField[])[] => [
  [
    `Planned at, ${timezone}`,
    'Batch',
    'Sheet',
    'Profile',
    'Rehearsal',
    'Rows',
    ...outcomes.map((outcome) => outcomeTable[outcome].title),
    'Currency',
    'Planned',
    'Paid',
    'Fees charged',
    'Exit code',
    'May have been paid',
  ],
  ...batches.map(({ header, counts, amounts, exit, unconfirmed = 0 }): readonly CsvField[] => [
    localTime(header.plannedAt, timezone),
    header.id,
    header.sheet.name,
    header.profile,
    header.sandbox ? 'yes' : 'no',
    header.rows,
    ...outcomes.map((outcome) => counts[outcome]),
    header.currency,
    header.total,
    amounts?.completed ?? '',
    amounts?.fees ?? '',
    exit,
    openIn(counts) + unconfirmed,
  ]),
];

/** Parses a day for commander. Any other text, and a day that does not exist, is a usage error that names the option. */
function calendarDay(text: string): string {
  const day = writtenDay(text);
  if (day !== undefined) return day;
  throw new InvalidArgumentError('Give a day as year-month-day, for example 2026-11-30.');
}

/** Default number of batches shown, unless days or a table are asked for. */
const SHOWN_BATCHES = 20;

export const history = cliCommand({
  example: 'paybatch history',
  moreExamples: [
    'paybatch history --from 2026-01-01 --to 2026-12-31 --format csv -o 2026.csv',
    'paybatch history --profile branch',
  ],
  declare: (command) =>
    command
      .option(
        '--last <n>',
        `how many batches; default: ${SHOWN_BATCHES}, or all of them with --format, --from or --to`,
        wholeNumber(1),
      )
      .option('--from <day>', 'only batches planned on this day or later, for example 2026-11-01', calendarDay)
      .option('--to <day>', 'only batches planned on this day or earlier', calendarDay)
      .addOption(new Option('--format <format>', 'csv: a table with one line for each batch').choices(['csv'] as const))
      .option('-o, --output <file>', 'the file of the table'),
  async run(shell, _, options) {
    const { from, to, format, output } = options;
    if (from !== undefined && to !== undefined && from > to) {
      throw new Fault('usage', `--from ${from} is after --to ${to}.`, 'Name the earlier day with --from.');
    }
    if (output !== undefined && format === undefined) throw noTable('-o is the file of a table.');
    if (shell.flags.json && format !== undefined && output === undefined) {
      throw noTable('With --json a table needs a file of its own.');
    }
    const file = await outputFileOf(shell, output, 'csv');
    await using records = await openRecords(shell);
    const { ledger, settings } = records.deps;
    const { timezone } = settings;
    const isWanted = ({ plannedAt }: BatchHeader): boolean => {
      const day = localDate(plannedAt, timezone);
      return (from === undefined || day >= from) && (to === undefined || day <= to);
    };
    const all = (await ledger.batches()).filter(isWanted);
    const isWhole = from !== undefined || to !== undefined || format !== undefined;
    const purges = await ledger.purges();
    const batches: PastBatch[] = [];
    for (const header of all.slice(0, options.last ?? (isWhole ? all.length : SHOWN_BATCHES))) {
      batches.push({ header, ...(await knownEnd(header, ledger)), purge: purges.get(header.id) });
    }
    const atWork = (await ledger.othersAtWork()).filter(({ batch }) => batch !== undefined);
    const runs = atWork.map(({ batch, holder: { description: by, pid, host } }) => ({ batch, by, pid, host }));
    const event = { type: 'history', batches: batches.map(historyRecord), atWork: runs.length > 0 ? runs : undefined };
    if (format) return table(shell, event, historyTable(batches, timezone), file);
    const lines = batches.flatMap((batch) => historyLines(batch, timezone));
    // The heading goes to stderr, because each line of the answer belongs to a batch.
    if (lines.length > 0 && !shell.flags.json) shell.terminal.say(`Times of ${timezone}:`);
    if (lines.length === 0) lines.push(isWhole ? 'No batch was planned then.' : 'There is no batch yet.');
    if (all.length > batches.length)
      lines.push(`${counted(all.length - batches.length, 'more batch', 'more batches')}: --last ${all.length}.`);
    lines.push(...atWork.map((lease) => `At work: ${atWorkText(lease)}.`));
    return answered(shell, event, lines);
  },
});

/** Writes the table to a file, or prints it as the lines of the answer if no file is given. */
async function table(
  shell: Shell,
  event: object,
  rows: readonly (readonly CsvField[])[],
  file: string | undefined,
): Promise<RunEnd> {
  if (file === undefined) return answered(shell, event, csvLines(rows));
  const { path } = await writeCsv(file, 'template', rows);
  if (!shell.flags.json) shell.terminal.answerPath(path);
  return answered(shell, event, [], [{ kind: 'history', path }]);
}

const noTable = (says: string): Fault =>
  new Fault('usage', says, 'For example: paybatch history --format csv -o history.csv');
