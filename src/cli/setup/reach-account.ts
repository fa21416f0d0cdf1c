/** Asks for an account until the service knows it. Where nobody can be asked, the first refusal is the last. */
import { Fault } from '../../domain/fault.ts';
import type { AssignedRoute } from '../../preflight/routes.ts';
import type { Shell } from '../shell.ts';
import type { AccountAnswers, PartialAnswers } from './account-questions.ts';
import { askAccount, askAgain, canAsk } from './ask-account.ts';
import { routesOf, suspects } from './try-account.ts';
import { typedSecret } from './typed-secret.ts';

/** An account that the service has given a token and routes. */
export interface ReachedAccount {
  readonly answers: AccountAnswers;
  readonly clientSecret: string;
  readonly assigned: readonly AssignedRoute[];
}

/** What was typed beside the answers. */
interface ReachOptions {
  readonly secretStdin: boolean;
  readonly routesPath: string | undefined;
}

/** What a person should have at hand, and that stopping does no harm. */
const introduction = [
  'Have at hand what the payment provider gave you: an address, a client id and a secret.',
  'Type each answer and press Enter; Enter alone takes what stands there.',
  'Ctrl-C stops. Nothing is written before the end, and nothing is paid.',
] as const;

/** An account that can be written down. Faults of the service, where nobody can correct what was said. */
export async function reachAccount(
  shell: Shell,
  known: PartialAnswers,
  { secretStdin, routesPath }: ReachOptions,
): Promise<ReachedAccount> {
  if (canAsk(shell)) for (const line of introduction) shell.terminal.say(line);
  let answers = await askAccount(shell, known);
  let clientSecret = await typedSecret(shell, { stdin: secretStdin });
  for (;;) {
    const { baseUrl, tokenUrl } = answers;
    shell.terminal.say(`Signing in at ${hostsOf(baseUrl, tokenUrl)}, and asking what the account can pay …`);
    try {
      const assigned = await routesOf(shell, { ...answers, clientSecret, routesPath });
      return { answers, clientSecret, assigned };
    } catch (error) {
      const wrong = error instanceof Fault ? suspects[error.code] : undefined;
      if (!(error instanceof Fault && wrong && canAsk(shell))) throw error;
      shell.terminal.say(`${shell.terminal.paint('bad', 'ERROR')}     ${error.message}`);
      shell.terminal.say(`          ${error.remedy}`);
      answers = await askAgain(shell, answers, wrong);
      if (error.code === 'credentials') {
        clientSecret = await typedSecret(shell, { stdin: false, asks: 'Client secret, once more' });
      }
    }
  }
}

const hostsOf = (...addresses: readonly string[]): string =>
  [...new Set(addresses.map((address) => new URL(address).host))].join(' and ');
