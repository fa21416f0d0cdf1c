/** `paybatch login` keeps a new client secret of the profile, and `paybatch logout` removes it. */
import { existsSync, lstatSync } from 'node:fs';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { answered, cliCommand } from '../command.ts';
import { DoctorContext, type TokenGiven } from '../doctor/doctor-context.ts';
import type { Shell } from '../shell.ts';
import { canAsk, requireStdinToRead, typedSecret } from './account-questions.ts';
import { placeFor, textWithSecretAt } from './profile-file.ts';
import {
  keeperOf,
  keepProfile,
  keptInFile,
  keychainFor,
  type LiveProfile,
  liveProfile,
  sharersOf,
} from './secret-keeper.ts';

export const login = cliCommand({
  example: 'paybatch login',
  moreExamples: ['paybatch login --profile branch', 'paybatch login --keychain'],
  declare: (command) =>
    command
      .option('--secret-stdin', 'read the secret from stdin; on a terminal it is asked for without echo', false)
      .option('--keychain', 'from now on keep it in the keychain of this system, and in no file', false),
  async run(shell, _, { secretStdin, keychain }) {
    const profile = liveProfile(shell);
    const { profileName, reach } = profile;
    const moves = keychain && reach.secret?.keychain === undefined;
    const keeper = moves ? keychainFor(shell, profile) : keeperOf(shell, profile);
    // A secret that cannot be changed is reported before a person types a new one.
    const place = moves ? placeFor(shell, profileName) : undefined;
    keeper.isKept();
    if (secretStdin) requireStdinToRead(shell);
    const { secret, lifeSeconds } = await triedSecret(shell, profile, secretStdin);
    if (place) keepProfile(keeper, secret, { file: place.file, text: textWithSecretAt(place, keeper.settings) });
    else keeper.keep(secret);
    const moved = place
      ? [`The profile ${profileName} says so, in ${shown(place.file)}.`, ...leaveFile(shell, profile)]
      : [];
    const event = { type: 'login', profile: profileName, clientId: reach.clientId, ...keeper.fields };
    return answered(shell, { ...event, lifeSeconds: lifeSeconds ?? null }, [
      `The service issues a token to ${shown(reach.clientId)}. The secret is kept in ${keeper.where}.`,
      ...moved,
    ]);
  },
});

/**
 * Removes the file that the secret was in, unless another profile needs it or it is not paybatch's to remove. Returns what became
 * of it.
 */
function leaveFile(shell: Shell, profile: LiveProfile): readonly string[] {
  const { file } = profile.reach.secret ?? {};
  if (file === undefined) return [];
  const sharers = sharersOf(profile, shell.cwd);
  if (sharers.length > 0) return [`${shown(file)} stays: it is the secret of ${sharers.join(', ')} as well.`];
  if (!existsSync(file)) return [];
  if (!lstatSync(file).isFile())
    return [`${shown(file)} stays: it is a link or not a regular file, so paybatch does not remove it.`];
  keptInFile(file).remove();
  return [`${shown(file)} is removed. Copies of it elsewhere, as in a backup, are not.`];
}

/** Returns a secret for which the service gave a token. On a terminal, a person is asked again until one is accepted. */
async function triedSecret(
  shell: Shell,
  profile: LiveProfile,
  stdin: boolean,
): Promise<{ readonly secret: string } & Pick<TokenGiven, 'lifeSeconds'>> {
  const { terminal } = shell;
  for (let asks = `Client secret of ${shown(profile.reach.clientId)}`; ; asks = 'Repeat the client secret') {
    const secret = await typedSecret(shell, { stdin, asks });
    try {
      return { secret, lifeSeconds: (await tokenFor(shell, profile, secret)).lifeSeconds };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.code !== 'credentials' || !canAsk(shell)) throw unchanged(error);
      terminal.sayLabelled('ERROR', `${error.message} The previous secret is still stored.`, 'bad');
    }
  }
}

/** Requests a token as the doctor does: the secret goes only to the service that the ledger belongs to. */
async function tokenFor(shell: Shell, profile: LiveProfile, clientSecret: string): Promise<TokenGiven> {
  const { secret: _, ...reached } = profile.reach;
  const account = { ...reached, clientSecret };
  await using context = new DoctorContext({ ...shell, config: () => ({ ...profile, account }) }, false);
  return await context.token();
}

const unchanged = (error: Fault): Fault =>
  new Fault(error.code, `${error.message} The previous secret is still stored.`, error.remedy, {
    details: error.details,
    cause: error,
  });

export const logout = cliCommand({
  example: 'paybatch logout',
  moreExamples: ['paybatch logout --profile branch', 'paybatch logout --json'],
  declare: (command) => command,
  async run(shell) {
    const profile = liveProfile(shell);
    const { profileName } = profile;
    const { secret } = profile.reach;
    const keeper = keeperOf(shell, profile);
    const wasKept = keeper.isKept();
    if (wasKept) keeper.remove();
    const sharers = sharersOf(profile, shell.cwd);
    const isFile = secret?.file !== undefined;
    const place = isFile ? shown(secret.file) : keeper.where;
    const removed = isFile ? `${place} is removed.` : `The secret is removed from ${place}.`;
    return answered(shell, { type: 'logout', profile: profileName, ...keeper.fields, wasKept, sharers }, [
      wasKept ? `${removed} Copies of it elsewhere, as in a backup, are not.` : `No secret is kept in ${place}.`,
      ...(sharers.length > 0 ? [`WARN      It was the secret of ${sharers.join(', ')} as well.`] : []),
      `Commands of the profile ${profileName} end with 2 until: paybatch login --profile ${profileName}`,
    ]);
  },
});
