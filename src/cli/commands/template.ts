import path from 'node:path';
import { columnDescriptions, kinds } from '../../kinds/index.ts';
import { writeTemplate } from '../../sheet/writing/template.ts';
import { answered } from '../answered.ts';
import type { CliCommand } from '../command.ts';
import { textOption } from '../options.ts';
import { templateSpec } from '../template-spec.ts';

export const template: CliCommand = {
  name: 'template',
  summary: 'write an empty payout sheet with instructions, examples and drop-downs',
  declare(command) {
    command.option('-o, --output <file>', 'where to write it', 'payouts.xlsx');
  },
  async run(shell, _, options) {
    const file = path.resolve(shell.cwd, textOption(options, 'output') ?? 'payouts.xlsx');
    await writeTemplate(file, templateSpec(columnDescriptions(), kinds));
    return answered(shell, { type: 'template', path: file }, [], [{ kind: 'template', path: file }]);
  },
};
