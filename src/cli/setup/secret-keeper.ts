/**
 * Where the secret of a profile is kept: in a file of its own or in the keychain of the system, as a flag says, as the profile
 * before did, or as a person chooses. A set-up writes the secret and the configuration, or neither.
 */

import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { removePrivateFile, writePrivateFile } from '../../files/private-file.ts';
import { type Account, keychainAccountOf, type Reach, reachOf } from '../config/account.ts';
import type { LoadedProfile } from '../config/load-config.ts';
import type { Keychain } from '../keychain/keychain.ts';
import { askToChoose } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';
import { canAsk, stopped } from './account-questions.ts';

/** Characters of a hash that tell two configuration files apart. */
const HASH_CHARACTERS = 8;

/**
 * Where the secret of a profile is kept unless somebody names another place: in the folder of the user's own configuration, and
 * never beside a file that others may see. Profiles of other files have a part of their path in the name.
 */
export function ownSecretFile(shell: Shell, { file, profileName }: { file: string; profileName: string }): string {
  const { ownFile } = shell.places();
  const of = file === ownFile ? '' : `-${createHash('sha256').update(file).digest('hex').slice(0, HASH_CHARACTERS)}`;
  return path.join(path.dirname(ownFile), 'secrets', `${profileName}${of}`);
}

/** Whether a secret is kept there. A Fault `configuration` for a link, a pipe or a device, which are not ours to change. */
export function isKept(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found || found.isFile()) return found !== undefined;
  throw new Fault(
    'configuration',
    `${shown(file)} is a link, or no file: what it leads to is not ours to change. Nothing was changed.`,
    'Change the secret where it comes from, or name another file for it.',
  );
}

/** Puts a secret into its file. A Fault `file-unwritten` when the disk refuses, and `configuration` for a place that is not ours. */
function keepSecret(file: string, secret: string): void {
  isKept(file);
  written(file, () => writePrivateFile(file, `${secret}\n`));
}

/** What puts a file back as it is now. */
function rememberKept(file: string): () => void {
  const before = isKept(file) ? readFileSync(file, 'utf8') : undefined;
  return () => (before === undefined ? removePrivateFile(file) : writePrivateFile(file, before));
}

/** Removes a secret for good. A Fault `file-unwritten` when the disk refuses. */
function removeSecret(file: string): void {
  try {
    removePrivateFile(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const message = `${shown(file)} cannot be removed (${String(error.code)}): the secret is still there.`;
    throw new Fault('file-unwritten', message, 'Look at the rights of its folder.', { cause: error });
  }
}

/** Keeps the secret, and then writes the configuration that says where it is. When that fails, the secret is as it was before. */
export function keepProfile(
  keeper: { keep(secret: string): void; remember(): () => void },
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
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new Fault(
      'file-unwritten',
      `${shown(file)} cannot be written (${String(error.code)}). Nothing was written.`,
      'Look at the disk and the rights of its folder, or name another place: --config FILE, --secret-file FILE',
      { cause: error },
    );
  }
}

/** Each of its functions throws a Fault when it cannot do what it says. */
export interface SecretKeeper {
  /** Where it is, in words for people. */
  readonly where: string;
  /** Where it is, for programs. */
  readonly told: { readonly secretFile: string } | { readonly secretKeychain: string };
  /** The settings of the profile that name it. */
  readonly settings: { readonly clientSecretFile?: string; readonly clientSecretKeychain?: true };
  isKept(): boolean;
  keep(secret: string): void;
  remove(): void;
  /** What puts back the secret that is there now. */
  remember(): () => void;
}

export const keptInFile = (file: string): SecretKeeper => ({
  where: `${shown(file)}, for you alone`,
  told: { secretFile: file },
  settings: { clientSecretFile: file },
  isKept: () => isKept(file),
  keep: (secret) => keepSecret(file, secret),
  remove: () => removeSecret(file),
  remember: () => rememberKept(file),
});

/** `account`: the name that it is kept under. */
const keptInKeychain = (keychain: Keychain, account: string): SecretKeeper => ({
  where: `the keychain of this system, as paybatch: ${shown(account)}`,
  told: { secretKeychain: account },
  settings: { clientSecretKeychain: true },
  isKept: () => keychain.read(account) !== undefined,
  keep: (secret) => keychain.keep(account, secret),
  remove: () => void keychain.remove(account),
  remember() {
    const before = keychain.read(account);
    return () => (before === undefined ? void keychain.remove(account) : keychain.keep(account, before));
  },
});

/** What is known before the account is. */
export interface KeeperRequest {
  /** The keychain was asked for, now or by the profile that is replaced. */
  readonly wantsKeychain: boolean;
  /** A file was asked for. */
  readonly wantsFile: boolean;
  /** Used where a file is. */
  readonly secretFile: string;
}

/** Any name will do to see whether a keychain answers. */
const PROBE = 'is it there';

/** A Fault where the keychain was asked for and cannot be used: before anybody answers questions, and before a service is asked. */
export function requireKeychainFor(shell: Shell, { wantsKeychain }: KeeperRequest): void {
  if (wantsKeychain) shell.keychain.read(PROBE);
}

/** What keeps the secret. A person is asked where the keychain can be used and nothing was said; nobody else gets another place than was asked for. */
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
