/** `paybatch report`: writes the results of a batch again, using only the ledger and in any format, or its evidence pack. */

import path from 'node:path';
import { Option, type OptionValues } from '@commander-js/extra-typings';
import { PACK, PACK_ENDING } from '../../audit/pack/pack-name.ts';
import type { PackPlace } from '../../audit/pack/write-pack.ts';
import type { BatchHeader } from '../../domain/batch.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { Fault } from '../../domain/fault.ts';
import { present } from '../../domain/present.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { knownEnd } from '../../results/run-end.ts';
import { formatOfName, type ResultsFormat, resultsFormatNames } from '../../results/write-results.ts';
import { reportBatch } from '../../run/report.ts';
import { cliCommand } from '../command.ts';
import { OUT, typedOption, wholeNumber } from '../flags/options.ts';
import { declareGroupBy, outFolder, outputFileOf } from '../flags/results-options.ts';
import { emitStart, openRecords, type Records } from '../session.ts';
import type { Shell } from '../shell.ts';
import { chosenBatch, emitPurged, emitRepeated } from '../state/batches.ts';

type Format = ResultsFormat | typeof PACK;

/** Returns the format that the ending of a file name stands for. */
const formatOf = (file = ''): Format | undefined =>
  file.toLowerCase().endsWith(`.${PACK_ENDING}`) ? PACK : formatOfName(file);

export const report = cliCommand({
  example: 'paybatch report salaries-2026-11',
  moreExamples: ['paybatch report --format html --out /accounts', 'paybatch report --format evidence --row 12'],
  declare: (command) =>
    declareGroupBy(command)
      .argument('[batch]', 'batch; default: the latest one')
      .addOption(
        new Option(
          '--format <format>',
          'csv: only the rows; jsonl: the same for programs, one object a line; html: a page to send or print; journal: entries for the books; slips: a slip for each paid row, to print; evidence: one --row, and nobody else; pack: a zip with all that proves the batch',
        ).choices([...resultsFormatNames, PACK]),
      )
      .option('--row <n>', 'the row of --format evidence', wholeNumber(1))
      .option('--whole-row', 'include everything that the sheet says in this row, not only the payment')
      .option(...OUT)
      .addOption(
        new Option(
          '-o, --output <file>',
          'the output file; an existing file is replaced only if it has the name of a results file',
        ).conflicts('out'),
      )
      .option(
        '--with <file...>',
        'the sheet or the plan of the batch, for the pack; found automatically if they are still where they were',
      ),
  async run(shell, [named], options) {
    const format = options.format ?? formatOf(options.output) ?? 'xlsx';
    requireUses(format, options);
    const file = await outputFileOf(shell, options.output, format);
    await using records = await openRecords(shell);
    const { deps } = records;
    emitStart(shell, records);
    const batch = await chosenBatch(deps.ledger, named);
    emitRepeated(batch, deps.emit);
    await emitPurged(batch, deps);
    await requireRowIn(batch, options.row, deps.ledger);
    const folder = outFolder(shell, options, batch.sheet.folder);
    const files =
      format === PACK
        ? await reportPack(batch, records, shell, {
            folder,
            file,
            given: options.with,
          })
        : await reportBatch(
            batch,
            { ...deps, ...present({ groupBy: options.groupBy }) },
            { folder, file, format, row: options.row, wholeRow: options.wholeRow },
          );
    return { ...(await knownEnd(batch, deps.ledger)), exit: exitCode.ok, files };
  },
});

/** Formats that an option works with: all others would ignore it. */
const formatsOf: Readonly<Record<string, readonly Format[]>> = {
  row: ['evidence'],
  wholeRow: ['evidence'],
  with: [PACK],
  groupBy: ['xlsx', 'html'],
};

/** Throws a Fault `usage` for an option that the format would ignore, and for evidence without `--row`. */
function requireUses(format: Format, options: OptionValues): void {
  const example = 'For example: paybatch report --format evidence --row 12';
  for (const [name, formats] of Object.entries(formatsOf)) {
    const typed = typedOption(options, [name]);
    if (typed === undefined || formats.includes(format)) continue;
    const says = `${typed} works only with --format ${formats.join(' or ')}.`;
    throw new Fault('usage', says, formats.includes('evidence') ? example : 'Leave it out, or choose that format.');
  }
  if (format === 'evidence' && options['row'] === undefined)
    throw new Fault('usage', 'Evidence is about one row.', example);
}

async function requireRowIn({ id }: BatchHeader, row: number | undefined, ledger: Ledger): Promise<void> {
  if (row === undefined || (await ledger.findRow(id, row))) return;
  const remedy = 'Rows have the numbers of the sheet that was paid: see the column Row of the results.';
  throw new Fault('usage', `Batch ${id} has no row ${row}.`, remedy);
}

/**
 * Writes the evidence pack, which is not a view of the results but what they follow from. Reports the files that are
 * missing from it because they were not found.
 */
async function reportPack(
  batch: BatchHeader,
  { deps }: Pick<Records, 'deps'>,
  { cwd, version }: Pick<Shell, 'cwd' | 'version'>,
  { given = [], ...place }: PackPlace,
): Promise<RunEnd['files']> {
  const { packBatch } = await import('../../audit/pack/write-pack.ts');
  const files = given.map((file) => path.resolve(cwd, file));
  const { path: written, kept } = await packBatch(batch, { ...deps, version }, { ...place, given: files });
  deps.emit({ type: 'file', kind: PACK, path: written });
  const isPurged = (await deps.ledger.purges()).has(batch.id);
  const missing = [
    ...(kept.sheet ? [] : [`the sheet ${shown(batch.sheet.name)}`]),
    ...(kept.plan || !batch.approval ? [] : ['the plan that was approved']),
  ];
  if (!isPurged && missing.length > 0) {
    const message = `The pack holds the SHA-256 of ${missing.join(' and ')}, but not the file: no file with that hash was found. If you have it, name it with --with FILE.`;
    deps.emit({ type: 'notice', level: 'info', message });
  }
  return [{ kind: PACK, path: written }];
}
