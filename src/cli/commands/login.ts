import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { cliCommand } from '../command.ts';
import { DoctorContext, type TokenGiven } from '../doctor/doctor-context.ts';
import { answered } from '../screens/answered.ts';
import { canAsk } from '../setup/ask-account.ts';
import { isKept, keepSecret } from '../setup/kept-files.ts';
import { keptSecretFile, type LiveProfile, liveProfile } from '../setup/kept-secret.ts';
import { requireStdinToRead, typedSecret } from '../setup/typed-secret.ts';
import type { Shell } from '../shell.ts';

export const login = cliCommand({
  name: 'login',
  summary: 'keep a new client secret of the profile, once the service has given a token for it',
  declare(command) {
    return command.option(
      '--secret-stdin',
      'read the secret from stdin; on a terminal it is asked for without echo',
      false,
    );
  },
  async run(shell, _, { secretStdin }) {
    const profile = liveProfile(shell);
    const file = keptSecretFile(shell, profile);
    isKept(file);
    if (secretStdin) requireStdinToRead(shell);
    const { profileName, reach } = profile;
    const { secret, lifeSeconds } = await triedSecret(shell, profile, file, secretStdin);
    keepSecret(file, secret);
    const event = { type: 'login', profile: profileName, clientId: reach.clientId, secretFile: file };
    return answered(shell, { ...event, lifeSeconds: lifeSeconds ?? null }, [
      `The service gives ${shown(reach.clientId)} a token. The secret is kept in ${shown(file)}, for you alone.`,
    ]);
  },
});

/** A secret that the service has given a token for. Where a person is asked, as often as it takes. */
async function triedSecret(
  shell: Shell,
  profile: LiveProfile,
  file: string,
  stdin: boolean,
): Promise<{ readonly secret: string } & Pick<TokenGiven, 'lifeSeconds'>> {
  const { terminal } = shell;
  for (let asks = `Client secret of ${shown(profile.reach.clientId)}`; ; asks = 'Client secret, once more') {
    const secret = await typedSecret(shell, { stdin, asks });
    try {
      return { secret, lifeSeconds: (await tokenFor(shell, profile, file, secret)).lifeSeconds };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.code !== 'credentials' || !canAsk(shell)) throw unchanged(error);
      terminal.say(`${terminal.paint('bad', 'ERROR')}     ${error.message} The secret before it is still kept.`);
    }
  }
}

/** Asks for a token as the doctor does: the secret goes to no service that the ledger does not belong to. */
async function tokenFor(shell: Shell, profile: LiveProfile, file: string, clientSecret: string): Promise<TokenGiven> {
  const { secret: _, ...reached } = profile.reach;
  const account = { ...reached, clientSecret, secretFile: file };
  await using context = new DoctorContext({ ...shell, config: () => ({ ...profile, account }) }, false);
  return await context.token();
}

const unchanged = (error: Fault): Fault =>
  new Fault(error.code, `${error.message} The secret before it is still kept.`, error.remedy, {
    details: error.details,
    cause: error,
  });
