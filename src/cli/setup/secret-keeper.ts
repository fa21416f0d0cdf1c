/**
 * Where the secret of a profile is kept: in its own file or in the keychain of the system, as a flag says, as the profile
 * before did, or as a person chooses. A set-up writes both the secret and the configuration, or neither.
 */

import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault, systemCode } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { removePrivateFile, writePrivateFile } from '../../files/private-file.ts';
import { type Account, keychainAccountOf, type Reach, reachOf } from '../config/account.ts';
import type { LoadedProfile } from '../config/load-config.ts';
import type { Keychain } from '../keychain/keychain.ts';
import { askToChoose } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';
import { canAsk, stopped } from './account-questions.ts';

/** Characters of a hash that distinguish two configuration files. */
const HASH_CHARACTERS = 8;

/**
 * Returns the file for the secret of a profile, unless another place is named: in the folder of the user's own configuration, and
 * never next to a file that others may see. For profiles of other files, its name contains part of a hash of their path.
 */
export function ownSecretFile(shell: Shell, { file, profileName }: { file: string; profileName: string }): string {
  const { ownFile } = shell.places();
  const of = file === ownFile ? '' : `-${createHash('sha256').update(file).digest('hex').slice(0, HASH_CHARACTERS)}`;
  return path.join(path.dirname(ownFile), 'secrets', `${profileName}${of}`);
}

/**
 * Reports whether a file keeps a secret. Throws a Fault `configuration` for a link, a pipe or a device, which are not paybatch's
 * to change.
 */
export function isKept(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found || found.isFile()) return found !== undefined;
  throw new Fault(
    'configuration',
    `${shown(file)} is a link or not a regular file, so paybatch does not change it. Nothing was changed.`,
    'Change the secret where it comes from, or name another file for it.',
  );
}

/** Keeps the secret, and then writes the configuration that says where it is. If that fails, the secret is put back as it was. */
export function keepProfile(
  keeper: SecretKeeper,
  secret: string,
  config: { readonly file: string; readonly text: string },
): void {
  const putBack = keeper.remember();
  keeper.keep(secret);
  try {
    written(config.file, () => writePrivateFile(config.file, config.text));
  } catch (error) {
    putBack();
    throw error;
  }
}

function written(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Fault(
      'file-unwritten',
      `${shown(file)} cannot be written (${systemCode(error)}). Nothing was written.`,
      'Check the disk and the permissions of its folder, or name another place: --config FILE, --secret-file FILE',
      { cause: error },
    );
  }
}

/** A place that keeps the secret of a profile. Each function throws a Fault if it cannot do what it says. */
export interface SecretKeeper {
  /** The place, in words for people. */
  readonly where: string;
  /** The place, for programs. */
  readonly fields: { readonly secretFile: string } | { readonly secretKeychain: string };
  /** The settings of the profile that name the place. */
  readonly settings: { readonly clientSecretFile?: string; readonly clientSecretKeychain?: true };
  isKept(): boolean;
  keep(secret: string): void;
  remove(): void;
  /** Returns a function that puts back the secret that is there now. */
  remember(): () => void;
}

/** Returns a file as the place of a secret. Its Faults: `file-unwritten` if the disk refuses, and those of `isKept`. */
export const keptInFile = (file: string): SecretKeeper => ({
  where: `${shown(file)}, readable only by you`,
  fields: { secretFile: file },
  settings: { clientSecretFile: file },
  isKept: () => isKept(file),
  keep(secret) {
    isKept(file);
    written(file, () => writePrivateFile(file, `${secret}\n`));
  },
  remove() {
    try {
      removePrivateFile(file);
    } catch (error) {
      const message = `${shown(file)} cannot be removed (${systemCode(error)}): the secret is still there.`;
      throw new Fault('file-unwritten', message, 'Check the permissions of its folder.', { cause: error });
    }
  },
  remember() {
    const before = isKept(file) ? readFileSync(file, 'utf8') : undefined;
    return () => (before === undefined ? removePrivateFile(file) : writePrivateFile(file, before));
  },
});

/** Returns the keychain as the place of a secret. `account`: the name under which the secret is kept. */
const keptInKeychain = (keychain: Keychain, account: string): SecretKeeper => ({
  where: `the keychain of this system, as paybatch: ${shown(account)}`,
  fields: { secretKeychain: account },
  settings: { clientSecretKeychain: true },
  isKept: () => keychain.read(account) !== undefined,
  keep: (secret) => keychain.keep(account, secret),
  remove: () => void keychain.remove(account),
  remember() {
    const before = keychain.read(account);
    return () => (before === undefined ? void keychain.remove(account) : keychain.keep(account, before));
  },
});

/** The wishes for the place of the secret, before the account is known. */
export interface KeeperRequest {
  /** Whether the keychain was asked for, now or by the profile that is replaced. */
  readonly wantsKeychain: boolean;
  /** Whether a file was asked for. */
  readonly wantsFile: boolean;
  /** The file to use if the secret is kept in a file. */
  readonly secretFile: string;
}

/**
 * Returns the place that keeps the secret. A person is asked if the keychain can be used and no place was asked for. In all other
 * cases the secret goes where it was asked to, or into the file.
 */
export async function chooseKeeper(
  shell: Shell,
  { wantsKeychain, wantsFile, secretFile }: KeeperRequest,
  account: Pick<Account, 'clientId' | 'tokenUrl'>,
): Promise<SecretKeeper> {
  const [file, keychain] = [keptInFile(secretFile), keptInKeychain(shell.keychain, keychainAccountOf(account))];
  if (wantsKeychain) return keychain;
  if (wantsFile || !canAsk(shell) || !canBeUsed(keychain)) return file;
  const answer = await askToChoose(shell, 'Where should the secret be kept?', [
    { value: 1, label: 'In a file that only you can read: also for scheduled payments' },
    { value: 2, label: 'In the keychain of this computer: while you are logged in' },
  ]);
  if (answer === undefined) throw stopped();
  return answer === 2 ? keychain : file;
}

function canBeUsed(keychain: SecretKeeper): boolean {
  try {
    keychain.isKept();
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === 'configuration') return false;
    throw error;
  }
}

/** A profile with an account at a real service, rather than at the practice service. */
export type LiveProfile = LoadedProfile & { readonly reach: Reach };

/** Returns the profile of a command about an account. Throws a Fault `usage` for the practice service, which has none. */
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

/**
 * Returns where the secret comes from, in a few words: a file, the keychain, a systemd credential, or a name in the environment;
 * `undefined` if it comes from nowhere.
 */
export function secretOrigin({ reach: { secret }, overridden }: LiveProfile): string | undefined {
  const { clientSecret: variable } = overridden;
  if (secret?.keychain !== undefined) return `keychain, under "${secret.keychain}"`;
  if (secret?.credential !== undefined) return `systemd credential ${secret.credential}`;
  if (secret?.place !== 'environment') return secret?.file;
  return secret.file === undefined ? variable : `${secret.file} (${variable})`;
}

/**
 * Returns the place that keeps the secret, so that the secret can be changed. Throws a Fault `configuration` if it is not
 * paybatch's to change.
 */
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

/** Returns the keychain as the new place of the secret. Throws a Fault `configuration` if the secret is not paybatch's to change. */
export function keychainFor(shell: Shell, profile: LiveProfile): SecretKeeper {
  requireOurs(profile);
  return keptInKeychain(shell.keychain, keychainAccountOf(profile.reach));
}

/** Throws a Fault `configuration` if the secret comes from a place that only others can change. */
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

/** Returns the other profiles of the configuration whose secret is in the same place. */
export const sharersOf = ({ config, profileName, reach }: LiveProfile, cwd: string): readonly string[] =>
  Object.entries(config.profiles).flatMap(([name, other]) => {
    if (name === profileName) return [];
    const { clientSecretFile, clientSecretKeychain, baseUrl, clientId } = other;
    const { secret } = reach;
    if (secret?.file !== undefined)
      return clientSecretFile && path.resolve(cwd, clientSecretFile) === secret.file ? [name] : [];
    // Without the address and the client id of a profile, the name of its secret in the keychain is unknown.
    if (!clientSecretKeychain || !baseUrl || !clientId) return [];
    return reachOf(name, other, {}, cwd).secret?.keychain === secret?.keychain ? [name] : [];
  });
