import { Fault } from '../../domain/fault.ts';
import { cliCommand } from '../command.ts';
import { configCheck } from './config-check.ts';
import { configShow } from './config-show.ts';
import { configTrust } from './config-trust.ts';

const children = [configCheck, configShow, configTrust];

export const config = cliCommand({
  example: 'paybatch config check',
  moreExamples: ['paybatch config show --origin', 'paybatch config trust'],
  declare: (command) => command,
  run() {
    const known = children.map(({ name }) => `paybatch config ${name}`).join(', ');
    throw new Fault('usage', 'What about the configuration?', `Known: ${known}.`);
  },
  children,
});
