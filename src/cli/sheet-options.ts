/** Options of every command that reads a sheet. */
import path from 'node:path';
import type { Command } from 'commander';
import { invariant } from '../domain/invariant.ts';
import type { CheckRequest } from '../paybatch.ts';
import { field, numberOption, textOption, wholeNumber } from './options.ts';
import type { Shell } from './shell.ts';

export const declareReading = (command: Command): Command =>
  command
    .argument('<sheet>', 'payout sheet: .xlsx or .csv')
    .option('--worksheet <name>', 'worksheet to read, when the workbook has several')
    .option('--currency <code>', 'currency of the batch')
    .option('--purpose <text>', 'purpose of rows that give none')
    .option('--delimiter <character>', 'CSV: what separates the fields')
    .option('--encoding <name>', 'CSV: encoding, when it is not UTF-8')
    .option('--allow-identical <n>', 'pay exactly this many rows that repeat another one', wholeNumber(1));

export function readingOf(options: Readonly<Record<string, unknown>>): Omit<CheckRequest, 'sheet'> {
  return {
    reading: {
      ...field('worksheet', textOption(options, 'worksheet')),
      ...field('delimiter', textOption(options, 'delimiter')),
      ...field('encoding', textOption(options, 'encoding')),
    },
    allowIdentical: numberOption(options, 'allowIdentical') ?? 0,
  };
}

export function sheetPath({ cwd }: Shell, sheet: string | undefined): string {
  invariant(sheet !== undefined, 'the sheet is a required argument');
  return path.resolve(cwd, sheet);
}
