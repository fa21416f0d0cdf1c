import { validateSheet } from '../../paybatch.ts';
import type { CliCommand } from '../command.ts';
import { field, textOption } from '../options.ts';
import { settingsOf } from '../session.ts';
import { declareReading, readingOf, sheetPath } from '../sheet-options.ts';

export const validate: CliCommand = {
  name: 'validate',
  summary: 'check every row of a sheet; asks no service and sends nothing',
  declare: (command) => {
    declareReading(command);
  },
  async run(shell, [sheet], options) {
    const settings = settingsOf(shell.config(), {
      ...field('currency', textOption(options, 'currency')),
      ...field('purpose', textOption(options, 'purpose')),
    });
    const { profile, sandbox } = settings;
    shell.reporter.tell({ type: 'start', command: 'validate', version: shell.version, profile, sandbox });
    const request = { ...readingOf(options), sheet: sheetPath(shell, sheet) };
    return validateSheet(request, { settings, tell: (event) => shell.reporter.tell(event) });
  },
};
