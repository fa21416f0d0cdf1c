/**
 * `paybatch verify`: proves the ledger and a results workbook, or an evidence pack, for which it reads neither
 * configuration nor ledger.
 */

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { PackVerdict } from '../../audit/pack/verify-pack.ts';
import { verifyLedger } from '../../audit/verify/verify-ledger.ts';
import { readWorkbookWord } from '../../audit/verify/workbook-word.ts';
import type { BatchHeader } from '../../domain/batch.ts';
import { isoTime } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { Fault } from '../../domain/fault.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { inTemporaryFolder } from '../../files/temporary-folder.ts';
import { latestWorkbook } from '../../results/write-results.ts';
import { answered, cliCommand } from '../command.ts';
import type { OptionsOf } from '../flags/options.ts';
import { outFolder } from '../flags/results-options.ts';
import { openRecords } from '../session.ts';
import type { Shell } from '../shell.ts';
import { chosenBatch } from '../state/batches.ts';
import { stateFolder } from '../state/state-files.ts';

/** Returns the workbook that was asked for, or the one that a run without `--out` writes, which need not exist. */
function soughtFile(batch: BatchHeader, asked: string | undefined, shell: Pick<Shell, 'cwd'>) {
  if (asked !== undefined) return { file: path.resolve(shell.cwd, asked), isToOpen: true };
  const file = latestWorkbook(batch, outFolder(shell, {}, batch.sheet.folder) ?? batch.sheet.folder);
  return { file, isToOpen: existsSync(file) };
}

const declareVerify = (command: Command) =>
  command
    .argument('[batch-or-pack]', 'batch whose workbook is compared; default: the latest one; or the zip of a pack')
    .option('--results <file>', 'the workbook; default: where the run wrote it; for a pack, none')
    .option('--key <key>', 'for a pack: the key that must have signed it, as a workbook from that day shows it');

type VerifyOptions = OptionsOf<ReturnType<typeof declareVerify>>;

export const verify = cliCommand({
  example: 'paybatch verify salaries-2026-11',
  moreExamples: [
    'paybatch verify salaries-2026-11 --results november.salaries-2026-11.results.xlsx',
    'paybatch verify november.salaries-2026-11.pack.zip',
  ],
  declare: declareVerify,
  async run(shell, [named], options) {
    // A name that ends in `.zip` is a file, and never looked up in the ledger.
    if (named !== undefined && /\.zip$/i.test(named)) return verifyPackFile(shell, named, options);
    // The keys of a ledger are known where the ledger is.
    if (options.key !== undefined) {
      const remedy = 'paybatch verify NAME.pack.zip --key KEY';
      throw new Fault('usage', '--key needs an evidence pack, and none was named.', remedy);
    }
    await using records = await openRecords(shell);
    const { ledger } = records.deps;
    const { batch, compared, workbook, differences, purges, lines } = await inTemporaryFolder(
      stateFolder(records.loaded),
      'verify',
      (folder) =>
        verifyLedger(
          { ...records.deps, folder },
          {
            choose: async () =>
              named !== undefined || (await ledger.latestBatch()) ? chosenBatch(ledger, named) : undefined,
            workbookOf: (one) => soughtFile(one, options.results, shell),
          },
        ),
    );
    const end = answered(
      shell,
      {
        type: 'verify',
        batch: batch?.id ?? null,
        workbook: workbook ?? null,
        older: compared?.older,
        unstoredResults: compared?.unstoredResults,
        hidden: compared?.hidden,
        withoutPictures: compared?.withoutPictures || undefined,
        purged: purges.length > 0 ? purges.map(({ batch, at, by }) => ({ batch, at: isoTime(at), by })) : undefined,
        differences,
      },
      lines,
    );
    return { ...end, exit: differences.length === 0 ? exitCode.ok : exitCode.ledgerUnsafe };
  },
});

/** Verifies an evidence pack. Reads the pack, and the workbook of `--results` if given, but neither configuration nor ledger. */
async function verifyPackFile(shell: Shell, named: string, { results, key }: VerifyOptions): Promise<RunEnd> {
  const { verifyPack } = await import('../../audit/pack/verify-pack.ts');
  const file = path.resolve(shell.cwd, named);
  const head = results === undefined ? undefined : await headIn(path.resolve(shell.cwd, results));
  const verdict = await verifyPack(file, { key, head });
  const { differences, notes, pack } = verdict;
  const isSound = differences.length === 0;
  const event = {
    type: 'verify',
    batch: pack?.batch ?? null,
    workbook: results ?? null,
    pack: file,
    head: pack?.head,
    notes,
    differences,
  };
  const unsound = `${counted(differences.length, 'difference')}. Do not trust this pack. Keep it as it is, and get another copy from a different source.`;
  const lines = isSound ? soundLines(verdict) : [...differences.map(shown), unsound];
  return { ...answered(shell, event, lines), exit: isSound ? exitCode.ok : exitCode.ledgerUnsafe };
}

/** Returns the lines about a pack without differences, including what that does not prove. */
function soundLines({ pack, header, notes }: PackVerdict): readonly string[] {
  if (!pack || !header) return [];
  const { head, sandbox, inRecovery } = pack;
  return [
    `The pack agrees: every file is the one of its list, the facts of batch ${shown(pack.batch)} follow each other, and all else follows from them.`,
    `${counted(header.rows, 'row')} of ${shown(header.sheet.name)}; ${counted(pack.facts, 'fact')}, as of ${pack.asOf}; head: fact ${head.seq}, ${head.hash}`,
    sandbox
      ? 'It is from a rehearsal: no money moved, and the key that signed it is known to everybody.'
      : `Signed with the key ${head.key}. Compare that key with a workbook or mail from the day of the payment: the pack cannot prove it.`,
    ...(inRecovery ? ['The ledger was in recovery then: rows that read "Check first" may have been paid.'] : []),
    ...notes.map(shown),
  ];
}

async function headIn(workbook: string) {
  const { head } = await readWorkbookWord(workbook);
  if (head) return { said: head, where: `the workbook ${path.basename(workbook)}` };
  throw new Fault(
    'usage',
    `${shown(workbook)} contains no ledger head.`,
    'Name a results workbook that paybatch wrote.',
  );
}
