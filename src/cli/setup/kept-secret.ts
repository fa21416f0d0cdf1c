/** Where the secret of a profile is kept, as `login`, `logout` and `whoami` see it: a file of ours, or somewhere that is not. */
import path from 'node:path';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import type { Reach } from '../config/account.ts';
import type { LoadedProfile } from '../config/load-config.ts';
import type { Shell } from '../shell.ts';
import { ownSecretFile } from './kept-files.ts';

/** A profile whose account is somebody else's service. */
export type LiveProfile = LoadedProfile & { readonly reach: Reach };

/** The profile of a command about an account. A Fault `usage` for the practice service, which has none. */
export function liveProfile(shell: Shell): LiveProfile {
  const loaded = shell.profile();
  const { reach, config, profileName } = loaded;
  if (reach) return { ...loaded, reach };
  const others = Object.keys(config.profiles).filter((name) => name !== profileName);
  throw new Fault(
    'usage',
    'The practice service needs no secret. Nothing was changed.',
    others.length > 0
      ? `Name an account: --profile ${others.join(', or --profile ')}`
      : 'Set up an account: paybatch init',
  );
}

/** Where the secret comes from, in a few words: a file, or a name in the environment; undefined: from nowhere. */
export function secretOrigin({ reach: { secret }, overridden }: LiveProfile): string | undefined {
  const { clientSecret: variable } = overridden;
  if (secret?.place !== 'environment') return secret?.file;
  return secret.file === undefined ? variable : `${secret.file} (${variable})`;
}

/** The file that the secret is kept in and may be changed in. A Fault `configuration` where it comes from anywhere else. */
export function keptSecretFile(shell: Shell, profile: LiveProfile): string {
  const { profileName, reach, file = '', overridden } = profile;
  const { secret } = reach;
  if (secret?.place === 'environment') {
    throw new Fault(
      'configuration',
      `The client secret of the profile "${profileName}" comes from ${overridden['clientSecret']} in the environment: one that is kept in a file would not count. Nothing was changed.`,
      'Change it where the environment is set, or take it out of there.',
    );
  }
  if (secret?.file === undefined) {
    const place = JSON.stringify(ownSecretFile(shell, { file, profileName }));
    throw new Fault(
      'configuration',
      `The profile "${profileName}" does not say where its client secret is kept. Nothing was changed.`,
      `Add to the profile, in ${shown(file || 'the configuration')}: "clientSecretFile": ${place}`,
    );
  }
  return secret.file;
}

/** Profiles of the configuration that name the same file, without the one that is asked about. */
export const sharersOf = ({ config, profileName }: LiveProfile, file: string, cwd: string): readonly string[] =>
  Object.entries(config.profiles).flatMap(([name, { clientSecretFile }]) =>
    name !== profileName && clientSecretFile && path.resolve(cwd, clientSecretFile) === file ? [name] : [],
  );
