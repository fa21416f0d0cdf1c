/** The practice service as if it were somebody else's: started apart, and reached as a configured account. */
import { onTestFinished } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { type Books, parseScenario, type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { systemClock, systemRandom } from '../../../src/system.ts';

/** Starts a service that is closed after the test. */
export async function openService(scenario = 'settle-min=20,settle-max=80', clock = systemClock): Promise<Sandbox> {
  const service = await startSandbox({
    clock,
    random: systemRandom,
    scenario: parseScenario(scenario),
  });
  onTestFinished(() => service.close());
  return service;
}

/** Lets a service behave otherwise from now on. */
export async function play(
  { url, controlToken }: Pick<Sandbox, 'url' | 'controlToken'>,
  scenario: string,
): Promise<void> {
  const headers = { authorization: `Bearer ${controlToken}` };
  const { ok, status } = await fetch(`${url}/__sandbox/scenario`, { method: 'POST', headers, body: scenario });
  if (!ok) throw new Error(`the practice service does not play ${scenario}: ${status}`);
}

type Rails = readonly Pick<Sandbox['routes'][number], 'routeId' | 'channelType' | 'transactionTypeId' | 'currency'>[];

/** As short as a busy machine allows: what it answers within half a second is never taken for lost. */
export const quickWaits = { sending: { requestTimeoutMs: 500 }, inDoubt: { unknownGapMs: 50, quietMs: 1000 } };

/** A profile that waits milliseconds where a real one waits minutes, but for what does not end by itself. */
export const quickProfile = (rails: Rails, deadlineMs = 8000): object => ({
  routes: Object.fromEntries(
    kinds.flatMap(({ name, channelType }) => {
      const rail = rails.find((one) => one.channelType === channelType && one.currency === 'KES');
      return rail ? [[name, { routeId: rail.routeId, channelType, transactionTypeId: rail.transactionTypeId }]] : [];
    }),
  ),
  polling: { firstMs: 30, maxMs: 200, deadlineMs },
  ...quickWaits,
});

/** The books of a service in another process. */
export async function booksOf({ url, controlToken }: Pick<Sandbox, 'url' | 'controlToken'>): Promise<Books> {
  const headers = { authorization: `Bearer ${controlToken}` };
  return (await (await fetch(`${url}/__sandbox/books`, { headers })).json()) as Books;
}

/** The environment that names the account. */
export const accountIn = ({
  url,
  clientId,
  clientSecret,
}: Pick<Sandbox, 'url' | 'clientId' | 'clientSecret'>): Record<string, string> => ({
  PAYBATCH_BASE_URL: url,
  PAYBATCH_CLIENT_ID: clientId,
  PAYBATCH_CLIENT_SECRET: clientSecret,
});

/** How often every trace number was paid. */
export function paidTraces({ orders }: Books): readonly string[] {
  const PAID = 4;
  return orders.flatMap(({ lines }) => lines.filter(({ status }) => status === PAID).map(({ trace }) => trace));
}
