/** Options of every command that reads a sheet. */

import path from 'node:path';
import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { longestOfRow } from '../../domain/lengths.ts';
import { chooseAmong } from '../../domain/likeness.ts';
import { type DecimalMark, decimalMarks } from '../../domain/number-format.ts';
import { present } from '../../domain/present.ts';
import { typedPath } from '../../domain/typed-path.ts';
import type { CheckRequest } from '../../run/validate.ts';
import type { SheetOptions } from '../../sheet/open-sheet.ts';
import { optionGroups } from '../help/layout.ts';
import { askForWorksheet, decisionsOf } from '../screens/ask-columns.ts';
import type { Shell } from '../shell.ts';
import { readMapping } from '../state/mapping-file.ts';
import { type OptionsOf, textUpTo, wholeNumber } from './options.ts';
import { outFolder } from './results-options.ts';

/** Declares what every command that opens a sheet must know to read it. */
export const declareFile = (command: Command) =>
  declareFileForm(command).argument('<sheet>', 'payout sheet: .xlsx or .csv');

const declareFileForm = (command: Command) =>
  command
    .optionsGroup(optionGroups.sheet)
    .option('--worksheet <name>', 'worksheet to read, when the workbook has several')
    .option('--delimiter <character>', 'CSV: what separates the fields')
    .option('--encoding <name>', 'CSV: encoding, when it is not UTF-8')
    .optionsGroup(optionGroups.own);

function decimalMark(text: string): DecimalMark {
  const signs: Readonly<Record<string, DecimalMark>> = { '.': 'point', ',': 'comma' };
  const named = decimalMarks.find((mark) => mark === text.toLowerCase()) ?? signs[text];
  if (named) return named;
  throw new InvalidArgumentError(chooseAmong(text, decimalMarks));
}

/** Declares how all sheets of a kind are read, no matter what they contain: a schedule keeps these options for all its sheets. */
export const declareMeaning = (command: Command) =>
  declareFileForm(command)
    .optionsGroup(optionGroups.sheet)
    .option('--map <name>', 'mapping of headings, as paybatch map saved it')
    .option('--currency <code>', 'currency of the batch')
    .option('--decimals <mark>', 'decimal mark of the amounts: point or comma', decimalMark)
    .option('--purpose <text>', 'purpose of rows that give none', textUpTo(longestOfRow.purpose))
    .option('--accept-fixes', 'accept the repairs that the check proposes, where they are certain')
    .optionsGroup(optionGroups.own)
    .option('--out <folder>', 'folder for the files that are written; default: next to the sheet');

export const declareReading = (command: Command) =>
  declareMeaning(command)
    .argument('<sheet>', 'payout sheet: .xlsx or .csv')
    .optionsGroup(optionGroups.exceptions)
    .option('--allow-identical <n>', 'pay exactly this many rows that repeat another one', wholeNumber(1))
    .option('--include-hidden <n>', 'pay exactly this many rows that are hidden or struck through', wholeNumber(1))
    .optionsGroup(optionGroups.own)
    .option('--no-copy', 'no copy of the sheet with every problem marked');

/**
 * Returns how to read the file. On a terminal a person chooses among several worksheets; elsewhere a Fault proposes the command
 * that names one.
 */
export const fileReadingOf = (shell: Shell, options: OptionsOf<ReturnType<typeof declareFile>>): SheetOptions => ({
  ...present({ worksheet: options.worksheet, delimiter: options.delimiter, encoding: options.encoding }),
  typed: ['paybatch', ...shell.argv.map(typedPath)].join(' '),
  ...(shell.terminal.interactive && {
    chooseWorksheet: (names: readonly string[]) => askForWorksheet(shell, names),
  }),
});

/** Returns what the operator says about a sheet, and how to read it. */
export function readingOf(
  shell: Shell,
  named: string,
  options: OptionsOf<ReturnType<typeof declareReading>>,
): CheckRequest {
  const sheet = sheetPath(shell, named);
  const mapping = options.map === undefined ? undefined : readMapping(shell.config().home, options.map);
  return {
    sheet,
    typed: named,
    reading: { ...fileReadingOf(shell, options), ...present({ usualWorksheet: mapping?.worksheet }) },
    decisions: decisionsOf(shell),
    allowIdentical: options.allowIdentical ?? 0,
    acceptFixes: options.acceptFixes === true,
    copy: options.copy,
    ...present({
      mapping,
      includeHidden: options.includeHidden,
      decimals: options.decimals,
      outFolder: outFolder(shell, options, path.dirname(sheet)),
    }),
  };
}

export const sheetPath = ({ cwd }: Shell, sheet: string): string => path.resolve(cwd, sheet);
