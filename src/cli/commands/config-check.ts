import { existsSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../domain/counted.ts';
import { endedBy } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { subcommand } from '../command.ts';
import { requireBelieved } from '../config/belief.ts';
import { type ReadFile, readConfigFile } from '../config/config-file.ts';
import { placedIn } from '../config/config-mistakes.ts';
import type { Config } from '../config/config-schema.ts';
import type { PlacedMistake } from '../config/json-mistake.ts';
import { mistaken, readSettings } from '../config/load-config.ts';
import { profileMistakes } from '../config/profile-mistakes.ts';
import { SANDBOX_PROFILE } from '../config/profile-name.ts';
import { answered } from '../screens/answered.ts';
import type { Shell } from '../shell.ts';

/** Below `paybatch config`. */
export const configCheck = subcommand({
  name: 'check',
  summary:
    'name every mistake of a configuration with its line, its column and what was probably meant; asks no service',
  example: 'paybatch config check',
  moreExamples: ['paybatch config check paybatch.config.json'],
  declare(command) {
    return command.argument('[file]', 'configuration file; default: the one that would be used here');
  },
  async run(shell, [named]) {
    const { home, file: found } = shell.places();
    const place = named === undefined ? found : ({ path: path.resolve(shell.cwd, named), by: 'flag' } as const);
    if (!place || (named === undefined && place.by === 'user' && !existsSync(place.path))) {
      return answered(shell, { type: 'config.check', file: null, profiles: [], mistakes: [] }, [
        'There is no configuration file: everything is as it is by default, on the sandbox.',
      ]);
    }
    const file = readConfigFile(place);
    const { settings, isReadable, mistakes: ofForm } = readSettings(file.text);
    // What was not trusted is looked at, and nothing that it names is opened.
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
    text.replace(/^\ufeff/, ''),
    profileMistakes(config, (profile) => shell.config({ config: file, profile })),
  );

function rightLine(file: string, { profiles, defaultProfile = SANDBOX_PROFILE }: Config): string {
  const names = Object.keys(profiles);
  const has =
    names.length === 0 ? 'It has no profile' : `It has ${counted(names.length, 'profile')}: ${names.join(', ')}`;
  return `${shown(file)} is right. ${has}; ${defaultProfile} counts where none is named.`;
}
