import { caughtFault, Fault } from '../../domain/fault.ts';
import { endedBy } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { answered, cliCommand } from '../command.ts';
import { DoctorContext, type TokenGiven } from '../doctor/doctor-context.ts';
import { EMBEDDED } from '../resources.ts';
import { secretOrigin } from '../setup/secret-keeper.ts';
import type { Shell } from '../shell.ts';
export const whoami = cliCommand({
  example: 'paybatch whoami',
  moreExamples: ['paybatch whoami --profile branch', 'paybatch whoami --json'],
  declare: (command) => command,
  async run(shell) {
    const profile = shell.profile();
    const { profileName, config, file = null, reach, home, keysFolder, idNamespace } = profile;
    const { organisation } = config;
    const general = {
      type: 'whoami',
      profile: profileName,
      organisation,
      configuration: file,
      state: home,
      idNamespace,
    };
    const common = [
      ['Profile', profileName],
      ['Settings', file ?? 'no file; every setting has its default value'],
      ['State', home],
      ['Organisation', organisation],
      ['Ids made from', idNamespace],
    ] as const;
    if (!reach) {
      const event = { ...general, keys: null, sandbox: true, service: EMBEDDED };
      return answered(shell, event, linesOf([...common, ['Service', 'SANDBOX: practice, no real money moves']]));
    }
    const { baseUrl, tokenUrl, clientId, scope } = reach;
    const secretFrom = secretOrigin({ ...profile, reach });
    const token = await tokenOf(shell).catch(caughtFault);
    const isGiven = !(token instanceof Fault);
    const event = {
      ...general,
      keys: keysFolder,
      sandbox: false,
      service: baseUrl,
      tokenUrl,
      clientId,
      scope,
      secretFrom: secretFrom ?? null,
    };
    const end = answered(
      shell,
      { ...event, token: isGiven, lifeSeconds: isGiven ? (token.lifeSeconds ?? null) : undefined },
      linesOf([
        ...common,
        ['Keys', keysFolder],
        ['Service', baseUrl],
        ['Tokens from', tokenUrl],
        ['Client id', clientId],
        ['Scope', scope],
        ['Secret from', secretFrom ?? 'nowhere'],
        ['Token', isGiven ? `given${token.lifeSeconds === undefined ? '' : `, for ${token.lifeSeconds} s`}` : 'none'],
      ]),
    );
    return isGiven ? end : { ...end, ...endedBy(token) };
  },
});

/**
 * Requests a token as the doctor does, so that the secret goes to no service that the ledger does not belong to. Throws a Fault if
 * there is no token.
 */
async function tokenOf(shell: Shell): Promise<TokenGiven> {
  await using context = new DoctorContext(shell, false);
  return await context.token();
}

/** Width of the names in columns, including the space after them. */
const NAME_COLUMNS = 14;

const linesOf = (pairs: readonly (readonly [name: string, text: string])[]): readonly string[] =>
  pairs.map(([name, text]) => `${name.padEnd(NAME_COLUMNS)}${shown(text)}`);
