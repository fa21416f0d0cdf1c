/** `paybatch config …`: checks a configuration file, shows the settings in force with their origins, and trusts a file. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isoTime } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import { Fault } from '../../domain/fault.ts';
import { chooseAmong } from '../../domain/likeness.ts';
import { endedBy } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { checkedAddress } from '../../service/client/address.ts';
import { answered, commandFamily, subcommand } from '../command.ts';
import { requireBelieved, trust, trustedAt } from '../config/belief.ts';
import { type ReadFile, readConfigFile } from '../config/config-file.ts';
import { type ConfigMistake, type PlacedMistake, placedIn } from '../config/config-mistakes.ts';
import type { Config } from '../config/config-schema.ts';
import {
  ENVIRONMENT_PROFILE,
  mistaken,
  readSettings,
  requireProfileName,
  SANDBOX_PROFILE,
  settingsIn,
} from '../config/load-config.ts';
import { settingsInForce, settingsOfFile } from '../config/settings-in-force.ts';
import { askForText } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';
import { makerName } from '../state/system.ts';

/** Loads a profile as a command would. Throws a Fault for what it lacks. */
type UseProfile = (name: string) => unknown;

/** Returns every mistake of the profiles. A profile whose name or addresses are wrong is not loaded to look for more. */
function profileMistakes({ profiles, defaultProfile }: Config, use: UseProfile): readonly ConfigMistake[] {
  const names = Object.keys(profiles);
  const ofProfiles = names.flatMap((name) => {
    const path = ['profiles', name];
    const own = [
      ...faultsOf(() => requireProfileName(name, names), path, 'name'),
      ...(['baseUrl', 'tokenUrl'] as const).flatMap((setting) => {
        const address = profiles[name]?.[setting];
        const at = [...path, setting];
        return address ? faultsOf(() => checkedAddress(address, at.join('.')), at, 'value') : [];
      }),
    ];
    // The environment supplies what the profile `env` leaves out, so without a baseUrl it cannot be judged here.
    const isWhole = name !== ENVIRONMENT_PROFILE || profiles[name]?.baseUrl !== undefined;
    return own.length > 0 || !isWhole ? own : faultsOf(() => use(name), path, 'name');
  });
  const known = [...names, SANDBOX_PROFILE];
  if (defaultProfile === undefined || [...known, ENVIRONMENT_PROFILE].includes(defaultProfile)) return ofProfiles;
  const says = `There is no profile "${defaultProfile.slice(0, 60)}". ${chooseAmong(defaultProfile, known)}`;
  return [{ path: ['defaultProfile'], part: 'value', says }, ...ofProfiles];
}

function faultsOf(
  check: () => unknown,
  path: readonly string[],
  part: ConfigMistake['part'],
): readonly ConfigMistake[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const said = [error.message, ...error.details, error.remedy].join(' ');
    return [{ path, part, says: said.replaceAll(' Nothing was sent.', '') }];
  }
}

const configCheck = subcommand({
  name: 'check',
  summary:
    'name every mistake of a configuration with its line, its column and what was probably meant; asks no service',
  example: 'paybatch config check',
  moreExamples: ['paybatch config check paybatch.config.json'],
  declare: (command) => command.argument('[file]', 'configuration file; default: the one that would be used here'),
  async run(shell, [named]) {
    const { home, file: found } = shell.places();
    const place = named === undefined ? found : ({ path: path.resolve(shell.cwd, named), by: 'flag' } as const);
    if (!place || (named === undefined && place.by === 'user' && !existsSync(place.path))) {
      return answered(shell, { type: 'config.check', file: null, profiles: [], mistakes: [] }, [
        'There is no configuration file: every setting has its default value, and commands use the sandbox.',
      ]);
    }
    const file = readConfigFile(place);
    const { settings, isReadable, mistakes: ofForm } = readSettings(file.text);
    // The form of an untrusted file is checked, but nothing that the file names is opened.
    if (ofForm.length === 0) requireBelieved(file, home);
    const mistakes = settings && ofForm.length === 0 ? mistakesOfProfiles(shell, file, settings.config) : ofForm;
    const profiles = Object.keys(settings?.config.profiles ?? {});
    const event = { type: 'config.check', file: file.path, profiles, mistakes };
    if (mistakes.length === 0 && settings) return answered(shell, event, [rightLine(file.path, settings.config)]);
    return { ...answered(shell, event, []), ...endedBy(mistaken(file.path, { mistakes, isReadable })) };
  },
});

const mistakesOfProfiles = (shell: Shell, { path: file, text }: ReadFile, config: Config): readonly PlacedMistake[] =>
  placedIn(
    text,
    profileMistakes(config, (profile) => shell.config({ config: file, profile })),
  );

function rightLine(file: string, { profiles, defaultProfile = SANDBOX_PROFILE }: Config): string {
  const names = Object.keys(profiles);
  const has =
    names.length === 0 ? 'It has no profile' : `It has ${counted(names.length, 'profile')}: ${names.join(', ')}`;
  return `${shown(file)} is valid. ${has}; ${defaultProfile} is used if none is named.`;
}

const configShow = subcommand({
  name: 'show',
  summary: 'show every setting in effect, without secrets; with --origin also where each one comes from',
  example: 'paybatch config show --origin',
  moreExamples: ['paybatch config show --profile branch'],
  declare: (command) =>
    command.option(
      '--origin',
      'say where each setting comes from: a flag, the environment, a file, or the default',
      false,
    ),
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

/** The word that a person types to trust a file: a bare "yes" is typed too easily. */
const WORD = 'trust';

const configTrust = subcommand({
  name: 'trust',
  summary: 'trust a configuration file until its content changes; shows what it sets',
  example: 'paybatch config trust paybatch.config.json',
  declare: (command) =>
    command
      .argument('[file]', 'configuration file; default: the one that would be used here')
      .option('--sha256 <hash>', 'the SHA-256 of the file that you have looked at, in place of typing "trust"'),
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
    const says = isNew ? 'is trusted with this content' : 'was trusted with this content already';
    return answered(shell, { type: 'config.trusted', file: name, sha256, settings }, [`${shown(name)} ${says}.`]);
  },
});

/**
 * Returns once a person has confirmed the file as it was read, by its SHA-256 or by typing the word. Throws a Fault
 * `declined` or `usage` otherwise.
 */
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
      `There is no terminal on which to ask a person whether ${shown(file.path)} is right. Nothing was changed.`,
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

export const config = commandFamily('config', {
  example: 'paybatch config check',
  moreExamples: ['paybatch config show --origin', 'paybatch config trust'],
  children: [configCheck, configShow, configTrust],
});
