/** `paybatch validate`: checks every row of a sheet; asks no service and sends nothing. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { isoTime } from '../../domain/clock.ts';
import type { Emit, RunEvent } from '../../domain/event.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { caughtFault, Fault } from '../../domain/fault.ts';
import { chooseAmong } from '../../domain/likeness.ts';
import { endedBy, type RunEnd } from '../../domain/run-end.ts';
import type { Settings } from '../../domain/settings.ts';
import { writeWholeText } from '../../files/whole-file.ts';
import { type CheckRecord, CheckRecorder } from '../../results/check-record.ts';
import { checkPage } from '../../results/html/check-page.ts';
import { type CheckedRows, type CheckRequest, validateSheet } from '../../run/validate.ts';
import { cliCommand } from '../command.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { settingsOf } from '../config/run-settings.ts';
import { jsonable } from '../events/jsonable.ts';
import { declareReading, readingOf } from '../flags/sheet-options.ts';
import { OF_VALIDATE, typedAgain, withCorrection } from '../flags/typed-again.ts';
import { problemFields } from '../screens/json-reporter.ts';
import type { Shell } from '../shell.ts';
import { ledgerFile } from '../state/state-files.ts';
import { makerName } from '../state/system.ts';
import { type ControlTotals, totalsOf, writeTotals } from '../state/totals-file.ts';

/** Returns the record as one document for JSON. Changes within `v: 1` only add fields. */
function checkDocument(
  { start, sheet, columns, summary, earlier, notices, problems, leftOut, counts, unlisted }: CheckRecord,
  { exit, fault, files }: Pick<RunEnd, 'exit' | 'fault' | 'files'>,
): unknown {
  const untyped = (event: RunEvent | undefined): object | null => {
    if (!event) return null;
    const { type: _, ...fields } = event;
    return fields;
  };
  const document = {
    v: 1,
    type: 'validation',
    version: start?.version ?? null,
    profile: start?.profile ?? null,
    sandbox: start?.sandbox ?? null,
    sheet: untyped(sheet),
    columns: untyped(columns),
    summary: untyped(summary),
    earlier: untyped(earlier),
    notices,
    problems: problems.map(problemFields),
    problemCounts: Object.fromEntries(counts),
    problemsNotListed: unlisted,
    leftOut: leftOut.map(untyped),
    fault: fault ? { code: fault.code, message: fault.message, details: fault.details, fix: fault.remedy } : null,
    files,
    exit,
  };
  return jsonable(document);
}

const formats = ['table', 'json', 'html'] as const;
type Format = (typeof formats)[number];

export const validate = cliCommand({
  example: 'paybatch validate november.xlsx',
  moreExamples: ['paybatch validate november.xlsx --format html', 'paybatch validate november.xlsx --accept-fixes'],
  declare: (command) =>
    declareReading(command)
      .option('--format <format>', 'table, json (one document) or html (a page in a file)', 'table')
      .option(
        '--totals',
        'write the control totals next to the sheet: a scheduled sheet is paid only by them or by an approved plan',
      ),
  async run(shell, [sheet], options) {
    const format = formatOf(options.format, shell.flags.json);
    const loaded = shell.config();
    const { currency, purpose } = options;
    const settings = settingsOf(loaded, { currency, purpose });
    const { profile, sandbox } = settings;
    const recorder = new CheckRecorder();
    const emit: Emit = (event) => {
      if (format !== 'table') recorder.hear(event);
      shell.reporter.emit(event);
    };
    emit({ type: 'start', command: shell.command, version: shell.version, profile, sandbox });
    const request = readingOf(shell, sheet, options);
    const check = async (): Promise<RunEnd> => {
      let totals: ControlTotals | undefined;
      const end = await validateSheet(request, { settings, emit }, async (rows) => {
        if (options.totals)
          totals = totalsOf(request.sheet, rows.checked, {
            checkedBy: makerName(),
            checkedAt: isoTime(shell.clock.now()),
          });
        await emitHeld(shell, { loaded, settings, emit }, { ...rows, sheet: request.sheet });
      });
      return totals ? withTotals(request.sheet, totals, end, emit) : end;
    };
    if (format === 'json') return answeredAsDocument(shell, recorder, check);
    const end = withNext(await check(), shell, sheet);
    return format === 'html' ? withPage(shell, request, recorder.record(), settings, end) : end;
  },
});

/** Reports which of the payments a live ledger already holds. */
async function emitHeld(
  shell: Shell,
  { loaded, settings, emit }: { readonly loaded: LoadedConfig; readonly settings: Settings; readonly emit: Emit },
  { sheet, ...rows }: CheckedRows & Pick<CheckRequest, 'sheet'>,
): Promise<void> {
  // A check does not create a ledger.
  if (settings.sandbox || !existsSync(ledgerFile(loaded))) return;
  // These are loaded only if there is a ledger to compare the sheet with.
  const { openRecords } = await import('../session.ts');
  const { emitEarlier } = await import('../../preflight/duplicates/emit-earlier.ts');
  await emitEarlier({ ...rows, file: path.basename(sheet) }, { settings, emit }, () => openRecords(shell));
}

function formatOf(text: string, events: boolean): Format {
  const format = formats.find((known) => known === text);
  if (!format) throw new Fault('usage', `"${text}" is not a format.`, chooseAmong(text, formats));
  if (format !== 'json' || !events) return format;
  throw new Fault('usage', '--json is a stream of events and --format json one document.', 'Choose one of them.');
}

/** Prints one JSON document on stdout and nothing else, no matter what the check found. */
async function answeredAsDocument(
  { terminal, reporter }: Shell,
  recorder: CheckRecorder,
  check: () => Promise<RunEnd>,
): Promise<RunEnd> {
  const end = await check().catch((error: unknown) => endedBy(caughtFault(error)));
  terminal.answerJson(checkDocument(recorder.record(), end), 2);
  for (const { kind, path: file } of end.files) {
    reporter.emit({ type: 'notice', level: 'info', message: `File (${kind}): ${file}` });
  }
  // Paths would be answers too; the document names them.
  return { ...end, files: [] };
}

/** Adds the next step. With a copy to look at, the check of a sheet without errors has already said what to do. */
function withNext(end: RunEnd, shell: Shell, sheet: string): RunEnd {
  if (end.exit !== exitCode.ok) return withCorrection(end, shell, sheet);
  if (end.files.some(({ kind }) => kind !== 'totals')) return end;
  const command = `${typedAgain(shell, { words: { validate: 'run' }, without: OF_VALIDATE })} --dry-run`;
  return { ...end, next: { says: 'Nothing was sent. See what it costs, and how it is paid:', command } };
}

/** Writes the control totals next to a sheet without errors: nobody confirms a sheet that has some. */
async function withTotals(sheet: string, totals: ControlTotals, end: RunEnd, emit: Emit): Promise<RunEnd> {
  if (end.exit !== exitCode.ok) return end;
  const file = await writeTotals(sheet, totals);
  emit({ type: 'file', kind: 'totals', path: file });
  return { ...end, files: [...end.files, { kind: 'totals', path: file }] };
}

/** Writes the page next to the sheet, or into the chosen folder. If it cannot be written, the findings are still reported. */
async function withPage(
  shell: Shell,
  { sheet, outFolder = path.dirname(sheet) }: CheckRequest,
  record: CheckRecord,
  { timezone, organisation, language = 'en' }: Settings,
  end: RunEnd,
): Promise<RunEnd> {
  const stem = path.parse(sheet).name.replace(/\.checked(?: \(\d+\))?$/i, '');
  const page = checkPage(record, { at: shell.clock.now(), timezone, organisation, language });
  try {
    const { path: file } = await writeWholeText(path.join(outFolder, `${stem}.checked.html`), 'page', [page]);
    shell.reporter.emit({ type: 'file', kind: 'page', path: file });
    return { ...end, files: [...end.files, { kind: 'page', path: file }] };
  } catch (error) {
    if (!(error instanceof Fault) || end.exit === 0) throw error;
    shell.reporter.emit({ type: 'notice', level: 'warning', message: `${error.message} ${error.remedy}` });
    return end;
  }
}
