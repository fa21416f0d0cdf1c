/** Single calls of an operation: what was answered, and accounts at services that answer as told. */

import { sendJson, serve } from '../loopback.ts';
import { accountIn } from './account.ts';
import type { JsonLine, Told } from './command-line.ts';

/** The answer that a single call told. */
export const answerIn = ({ events }: Told): JsonLine => events.find(({ type }) => type === 'api.answer') ?? {};

/** An account at a service that answers everything but tokens as told. */
export async function accountThat(
  answer: (path: string) => readonly [status: number, body: unknown],
): Promise<Record<string, string>> {
  const { url } = await serve((request, response) => {
    if (request.path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
    return sendJson(response, ...answer(request.path));
  });
  return accountIn({ url, clientId: 'acme', clientSecret: 'secret' });
}
