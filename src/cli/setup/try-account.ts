/** Tries an account before anything is written: does the service give a token, and which routes has the account? */
import { openTransport } from '../../client/transport.ts';
import { Fault, type FaultCode } from '../../domain/fault.ts';
import { type AssignedRoute, readRoutes } from '../../preflight/routes.ts';
import { emptyProfile } from '../config/config-schema.ts';
import { openClientAt } from '../resources.ts';
import type { Shell } from '../shell.ts';
import type { AccountAnswers, AnswerName } from './account-questions.ts';

export interface TriedAccount extends Pick<AccountAnswers, 'baseUrl' | 'tokenUrl' | 'clientId' | 'scope'> {
  readonly clientSecret: string;
  /** Where the service lists its routes, when that is not where the contract says. */
  readonly routesPath: string | undefined;
}

/** One after the other is asked. */
const CONNECTIONS = 1;

/** What to do about each fault of an account that nobody has written down yet. */
const remedies: Readonly<Partial<Record<FaultCode, string>>> = {
  credentials: 'Check client id, client secret and scope: one letter is enough.',
  unreachable: 'Check both addresses, and the network of this computer.',
};

/** Answers that are most often wrong when a fault says so; a person is asked for them again. */
export const suspects: Readonly<Partial<Record<FaultCode, readonly AnswerName[]>>> = {
  credentials: ['clientId', 'scope'],
  unreachable: ['baseUrl', 'tokenUrl'],
  'route-missing': ['baseUrl', 'tokenUrl'],
};

/** The routes of the account, at least one. A Fault that says what to do, and that nothing was written. */
export async function routesOf(shell: Shell, account: TriedAccount): Promise<readonly AssignedRoute[]> {
  const { routesPath, ...settings } = account;
  const { requestTimeoutMs, ratePerSecond } = emptyProfile().sending;
  const paths = routesPath === undefined ? {} : { 'find-routes': routesPath };
  const client = openClientAt(
    { ...settings, requestTimeoutMs, ratePerSecond, paths },
    openTransport(CONNECTIONS),
    shell,
  );
  try {
    const answer = await readRoutes(client, shell.signal);
    if ('untold' in answer) throw untold(answer.untold);
    if (answer.routes.length > 0) return answer.routes;
    throw new Fault(
      'route-missing',
      'The service gives a token, and lists no routes for this account: nothing could be paid. Nothing was written.',
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

const untold = (why: string): Fault =>
  new Fault(
    'route-missing',
    `The service gives a token, and did not list its routes (${why}). Nothing was written.`,
    'Check the address of the service. If it is right, ask the provider where its routes are listed: --routes-path /v1/…',
  );
