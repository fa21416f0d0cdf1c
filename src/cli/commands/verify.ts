import { existsSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../domain/counted.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { compareResults, resultsPath } from '../../verify.ts';
import { answered } from '../answered.ts';
import { chosenBatch } from '../batches.ts';
import type { CliCommand } from '../command.ts';
import { textOption } from '../options.ts';
import { openRecords } from '../session.ts';
import { shown } from '../terminal.ts';

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
    // Of a ledger that is not sound nothing is read any more: what is wrong with it is the answer.
    const latest = differences.length === 0 ? await ledger.latestBatch() : undefined;
    const isAsked = differences.length === 0 && (named !== undefined || latest !== undefined);
    const batch = isAsked ? await chosenBatch(ledger, named) : undefined;
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
