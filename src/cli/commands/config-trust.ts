import path from 'node:path';
import { isoTime } from '../../domain/clock.ts';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { subcommand } from '../command.ts';
import { type ReadFile, readConfigFile } from '../config/config-file.ts';
import { settingsIn } from '../config/load-config.ts';
import { settingsOfFile } from '../config/told-settings.ts';
import { trust, trustedAt } from '../config/trusted-files.ts';
import { answered } from '../screens/answered.ts';
import { askForText } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';
import { makerName } from '../state/system.ts';

/** What is typed to trust a file: a bare "yes" is typed too easily. */
const WORD = 'trust';

/** Below `paybatch config`. */
export const configTrust = subcommand({
  name: 'trust',
  summary: 'believe a configuration file from now on, as long as its content stays as it is; shows what it sets',
  example: 'paybatch config trust paybatch.config.json',
  declare(command) {
    return command
      .argument('[file]', 'configuration file; default: the one that would be used here')
      .option('--sha256 <hash>', 'the SHA-256 of the file that you have looked at, in place of typing "trust"');
  },
  async run(shell, [named], options) {
    const { home, file: place } = shell.places();
    const chosen = named === undefined ? place : ({ path: path.resolve(shell.cwd, named), by: 'found' } as const);
    if (!chosen) {
      throw new Fault('usage', 'There is no configuration file here.', 'Name it: paybatch config trust FILE');
    }
    const file = readConfigFile(chosen);
    const settings = settingsOfFile(settingsIn(file).given, file.path);
    const lines = settings.map(({ name, value }) => `  ${shown(name)} = ${value}`);
    const isNew = trustedAt(home, file.path)?.sha256 !== file.sha256;
    if (isNew) {
      await confirm(shell, file, lines, options.sha256);
      trust(home, { file: file.path, sha256: file.sha256, at: isoTime(shell.clock.now()), by: makerName() });
    }
    const { path: name, sha256 } = file;
    const says = isNew ? 'is trusted as it stands' : 'was trusted as it stands already';
    return answered(shell, { type: 'config.trusted', file: name, sha256, settings }, [`${shown(name)} ${says}.`]);
  },
});

/** Returns when a person has seen the file as it was read; a Fault when nobody says so. */
async function confirm(
  shell: Shell,
  file: ReadFile,
  lines: readonly string[],
  hash: string | undefined,
): Promise<void> {
  const { terminal } = shell;
  const { sha256, otherWriter } = file;
  if (hash?.toLowerCase() === sha256) return;
  if (hash !== undefined) {
    throw declined(`The SHA-256 of ${shown(file.path)} is ${sha256}, another one.`, 'See what has changed in it.');
  }
  const whose = otherWriter === undefined ? [] : [`Others could have written it: ${otherWriter}.`];
  if (!terminal.interactive) {
    throw new Fault(
      'usage',
      `Nobody can be asked here whether ${shown(file.path)} is right. Nothing was changed.`,
      `After looking at it yourself: paybatch config trust ${typedPath(shown(file.path))} --sha256 ${sha256}`,
      { details: ['It sets:', ...lines, ...whose] },
    );
  }
  terminal.say(`${shown(file.path)} sets:`);
  for (const line of [...lines, ...whose]) terminal.say(line);
  terminal.say(`It decides where money and secrets go. Type ${WORD} if all of it is right, or press Ctrl-C.`);
  const typed = await askForText(shell, 'Word');
  if (typed?.trim().toLowerCase() !== WORD) throw declined('Declined.', 'Run it again when it is right.');
}

const declined = (message: string, remedy: string): Fault =>
  new Fault('declined', `${message} Nothing was changed.`, remedy);
