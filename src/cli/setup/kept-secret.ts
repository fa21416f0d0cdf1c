/** Where the secret of a profile is kept, as `login`, `logout` and `whoami` see it: a file of ours, the keychain, or somewhere that is not ours. */
import path from 'node:path';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { keychainAccountOf, type Reach, reachOf } from '../config/account.ts';
import type { LoadedProfile } from '../config/load-config.ts';
import type { Shell } from '../shell.ts';
import { ownSecretFile } from './kept-files.ts';
import { keptInFile, keptInKeychain, type SecretKeeper } from './secret-keeper.ts';

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

/** Where the secret comes from, in a few words: a file, the keychain, or a name in the environment; undefined: from nowhere. */
export function secretOrigin({ reach: { secret }, overridden }: LiveProfile): string | undefined {
  const { clientSecret: variable } = overridden;
  if (secret?.keychain !== undefined) return `keychain, under "${secret.keychain}"`;
  if (secret?.credential !== undefined) return `systemd credential ${secret.credential}`;
  if (secret?.place !== 'environment') return secret?.file;
  return secret.file === undefined ? variable : `${secret.file} (${variable})`;
}

/** What keeps the secret, so that it may be changed. A Fault `configuration` where that is nothing of ours. */
export function keeperOf(shell: Shell, profile: LiveProfile): SecretKeeper {
  const { profileName, reach, file = '' } = profile;
  const { secret } = reach;
  requireOurs(profile);
  if (secret?.keychain !== undefined) return keptInKeychain(shell.keychain, secret.keychain);
  if (secret?.file !== undefined) return keptInFile(secret.file);
  const place = JSON.stringify(ownSecretFile(shell, { file, profileName }));
  throw new Fault(
    'configuration',
    `The profile "${profileName}" does not say where its client secret is kept. Nothing was changed.`,
    `Add to the profile, in ${shown(file || 'the configuration')}: "clientSecretFile": ${place}   For the keychain of this system: paybatch login --keychain`,
  );
}

/** The keychain as what keeps it from now on. A Fault `configuration` where the secret is nothing of ours. */
export function keychainFor(shell: Shell, profile: LiveProfile): SecretKeeper {
  requireOurs(profile);
  return keptInKeychain(shell.keychain, keychainAccountOf(profile.reach));
}

/** A Fault where the secret is from a place that only others can change. */
function requireOurs({ profileName, reach: { secret }, overridden }: LiveProfile): void {
  if (secret?.place === 'environment') {
    throw new Fault(
      'configuration',
      `The client secret of the profile "${profileName}" comes from ${overridden['clientSecret']} in the environment: one that is kept elsewhere would not count. Nothing was changed.`,
      'Change it where the environment is set, or take it out of there.',
    );
  }
  if (secret?.credential !== undefined) {
    throw new Fault(
      'configuration',
      `The client secret of the profile "${profileName}" is the systemd credential "${secret.credential}", which only its unit can give. Nothing was changed.`,
      'Change the file that the unit loads it from; encrypted: systemd-creds encrypt.',
    );
  }
}

/** Other profiles of the configuration whose secret is in the same place. */
export const sharersOf = ({ config, profileName, reach }: LiveProfile, cwd: string): readonly string[] =>
  Object.entries(config.profiles).flatMap(([name, other]) => {
    if (name === profileName) return [];
    const { clientSecretFile, clientSecretKeychain, baseUrl, clientId } = other;
    const { secret } = reach;
    if (secret?.file !== undefined)
      return clientSecretFile && path.resolve(cwd, clientSecretFile) === secret.file ? [name] : [];
    // Of one that lacks something nobody can say which secret is its own.
    if (!clientSecretKeychain || !baseUrl || !clientId) return [];
    return reachOf(name, other, {}, cwd).secret?.keychain === secret?.keychain ? [name] : [];
  });
