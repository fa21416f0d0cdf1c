import { existsSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../domain/counted.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { shown } from '../../domain/shown-text.ts';
import { compareResults, resultsPath } from '../../verify.ts';
import { answered } from '../answered.ts';
import { chosenBatch } from '../batches.ts';
import type { CliCommand } from '../command.ts';
import { textOption } from '../options.ts';
import { openRecords } from '../session.ts';

export const verify: CliCommand = {
  name: 'verify',
  summary: 'prove the ledger: replay its facts, check their chain, compare the results workbook of a batch',
  declare(command) {
    command
      .argument('[batch]', 'batch whose workbook is compared; default: the latest one')
      .option('--results <file>', 'the workbook; default: where the run wrote it');
  },
  async run(shell, [named], options) {
    await using records = await openRecords(shell, { command: 'verify' });
    const { ledger } = records.deps;
    const differences = [...(await ledger.verify())];
    const asked = textOption(options, 'results');
    const latest = await ledger.latestBatch();
    const batch = named === undefined && !latest ? undefined : await chosenBatch(ledger, named);
    let workbook: string | undefined;
    if (batch) {
      const file = asked === undefined ? resultsPath(batch) : path.resolve(shell.cwd, asked);
      if (asked !== undefined || existsSync(file)) {
        workbook = file;
        differences.push(...(await compareResults(batch, ledger, file)));
      }
    }
    const sound = differences.length === 0;
    const lines = [
      ...differences.map((difference) => shown(difference)),
      sound
        ? 'The ledger is sound: every fact follows the one before it, and all it shows follows from its facts.'
        : '',
      workbook !== undefined && sound ? `The workbook agrees with it: ${workbook}` : '',
      workbook === undefined && batch ? 'No results workbook was found where the run wrote it; none was compared.' : '',
      sound
        ? ''
        : `${counted(differences.length, 'difference')}. Keep the ledger as it is, send nothing, and find out who changed what.`,
    ].filter(Boolean);
    const end = answered(
      shell,
      { type: 'verify', batch: batch?.id ?? null, workbook: workbook ?? null, differences },
      lines,
    );
    return { ...end, exit: sound ? exitCode.ok : exitCode.ledgerUnsafe };
  },
};
