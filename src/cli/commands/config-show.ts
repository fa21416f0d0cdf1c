import { subcommand } from '../command.ts';
import { settingsInForce } from '../config/told-settings.ts';
import { answered } from '../screens/answered.ts';

/** Below `paybatch config`. */
export const configShow = subcommand({
  name: 'show',
  summary: 'every setting that counts, without secrets; with --origin also where each one stands',
  example: 'paybatch config show --origin',
  moreExamples: ['paybatch config show --profile branch'],
  declare(command) {
    return command.option(
      '--origin',
      'say where each setting stands: a flag, the environment, a file, or by default',
      false,
    );
  },
  async run(shell, _, options) {
    const settings = settingsInForce(shell.config());
    const [names, values] = [settings.map(({ name }) => name.length), settings.map(({ value }) => value.length)];
    const lines = settings.map(({ name, value, origin }) => {
      const line = `${name.padEnd(Math.max(...names))}  ${value}`;
      return options.origin ? `${line.padEnd(Math.max(...names) + Math.max(...values) + 4)}${origin}` : line;
    });
    return answered(shell, { type: 'config', settings }, lines);
  },
});
