/**
 * Asks for an account until the service accepts it, before anything is written: does the service give a token, and which routes
 * does the account have? Where no person can be asked, the first refusal is final.
 */
import { Fault, type FaultCode } from '../../domain/fault.ts';
import { type AssignedRoute, readRoutes } from '../../preflight/routes.ts';
import { checkedProxy } from '../../service/client/address.ts';
import { openTransport } from '../../service/client/transport.ts';
import type { ProfileConfig } from '../config/config-schema.ts';
import { openClientAt } from '../resources.ts';
import type { Shell } from '../shell.ts';
import {
  type AccountAnswers,
  type AnswerName,
  askAccount,
  askAgain,
  canAsk,
  type PartialAnswers,
  typedSecret,
} from './account-questions.ts';

/** Requests are made one after the other. */
const CONNECTIONS = 1;

/** The remedy for each fault of an account that is not written down yet. */
const remedies: Readonly<Partial<Record<FaultCode, string>>> = {
  credentials: 'Check client id, client secret and scope: one letter is enough.',
  unreachable: 'Check both addresses, and the network of this computer.',
};

/** The answers that are most often wrong, by fault; a person is asked for them again. */
const suspects: Readonly<Partial<Record<FaultCode, readonly AnswerName[]>>> = {
  credentials: ['clientId', 'scope'],
  unreachable: ['baseUrl', 'tokenUrl'],
  'route-missing': ['baseUrl', 'tokenUrl'],
};

/** Returns the routes of the account, at least one. Throws a Fault that says what to do, and that nothing was written. */
async function routesOf(
  shell: Shell,
  account: AccountAnswers & Pick<ReachedAccount, 'clientSecret'>,
  { proxy, paths, sending }: ProfileConfig,
): Promise<readonly AssignedRoute[]> {
  const { requestTimeoutMs, ratePerSecond } = sending;
  const way = proxy && checkedProxy(proxy, 'The proxy of the profile', [account.baseUrl, account.tokenUrl]);
  const client = openClientAt(
    { ...account, requestTimeoutMs, ratePerSecond, paths },
    openTransport(CONNECTIONS, way),
    shell,
  );
  try {
    const answer = await readRoutes(client, shell.signal);
    if ('unknown' in answer) {
      throw new Fault(
        'route-missing',
        `The service issues a token, but did not list its routes (${answer.unknown}). Nothing was written.`,
        'Check the address of the service. If it is right, ask the provider where its routes are listed: --routes-path /v1/…',
      );
    }
    if (answer.routes.length > 0) return answer.routes;
    throw new Fault(
      'route-missing',
      'The service issues a token, but lists no routes for this account: nothing could be paid. Nothing was written.',
      'Ask the provider to assign routes to the client id, then run this again.',
    );
  } catch (error) {
    const remedy = error instanceof Fault ? remedies[error.code] : undefined;
    if (!(error instanceof Fault) || remedy === undefined) throw error;
    throw new Fault(error.code, `${error.message} Nothing was written.`, remedy, { cause: error });
  } finally {
    await client.close();
  }
}

/** An account for which the service gave a token and listed routes. */
interface ReachedAccount {
  readonly answers: AccountAnswers;
  readonly clientSecret: string;
  readonly assigned: readonly AssignedRoute[];
}

/** What is known before the questions. */
interface ReachRequest {
  readonly known: PartialAnswers;
  readonly secretStdin: boolean;
  /** The settings by which the service is reached: those that the profile keeps, and its defaults. */
  readonly profile: ProfileConfig;
}

/** The lines that say what a person should have at hand, and that stopping does no harm. */
const introduction = [
  'Have at hand what the payment provider gave you: an address, a client id and a secret.',
  'Type each answer and press Enter. To keep the value that is shown, only press Enter.',
  'Ctrl-C stops. Nothing is written before the end, and nothing is paid.',
] as const;

/** Returns an account that can be written down. Throws the faults of the service where no person can correct the answers. */
export async function reachAccount(
  shell: Shell,
  { known, secretStdin, profile }: ReachRequest,
): Promise<ReachedAccount> {
  if (canAsk(shell)) for (const line of introduction) shell.terminal.say(line);
  let answers = await askAccount(shell, known);
  let clientSecret = await typedSecret(shell, { stdin: secretStdin });
  for (;;) {
    const { baseUrl, tokenUrl } = answers;
    shell.terminal.say(`Signing in at ${hostsOf(baseUrl, tokenUrl)}, and asking what the account can pay …`);
    try {
      const assigned = await routesOf(shell, { ...answers, clientSecret }, profile);
      return { answers, clientSecret, assigned };
    } catch (error) {
      const wrong = error instanceof Fault ? suspects[error.code] : undefined;
      if (!(error instanceof Fault && wrong && canAsk(shell))) throw error;
      shell.terminal.sayLabelled('ERROR', error.message, 'bad');
      shell.terminal.sayLabelled('', error.remedy);
      answers = await askAgain(shell, answers, wrong);
      if (error.code === 'credentials') {
        clientSecret = await typedSecret(shell, { stdin: false, asks: 'Repeat the client secret' });
      }
    }
  }
}

const hostsOf = (...addresses: readonly string[]): string =>
  [...new Set(addresses.map((address) => new URL(address).host))].join(' and ');
