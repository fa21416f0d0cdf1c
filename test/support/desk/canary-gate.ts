/**
 * A service that knows its client by a secret of the test's choice, and gives a token of the test's choice: both can be looked for.
 * It can also behave badly, and repeats then what it was sent.
 */
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { type Arrived, sendJson, serve } from '../loopback.ts';
import { passOn } from './pass-on.ts';

/** What the gate does with a request: passes it on, or answers itself and repeats all that it knows. */
type Manner = 'honest' | 'refuses the client' | 'refuses the token' | 'answers nonsense';

export interface CanaryGate {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  behave(manner: Manner): void;
}

/** Characters that addresses, JSON and forms write in their own ways. */
export const SECRET = 'canary/9f2c+Zk71?tq';
export const TOKEN = 'token-canary.8Qw~x_71-9f2c';

/** Passes on to a practice service. */
export async function openCanaryGate({ url: real, clientSecret }: Sandbox): Promise<CanaryGate> {
  let manner: Manner = 'honest';
  let realToken = '';
  const { url, arrived } = await serve((one, response) => {
    const isToken = one.path === '/connect/token';
    const says = `${SECRET} ${one.authorization} ${one.body}`;
    if (manner === 'answers nonsense') return void response.writeHead(200).end(`<html>${says}`);
    if (manner === 'refuses the client' && isToken)
      return sendJson(response, 401, { error: 'invalid_client', error_description: `no client with ${says}` });
    if (manner === 'refuses the token' && !isToken) return sendJson(response, 401, { message: `not with ${says}` });
    if (!isToken)
      return passOn(real, { ...one, authorization: one.authorization?.replace(TOKEN, realToken) }, response);
    const known = new URLSearchParams(one.body);
    known.set('client_secret', known.get('client_secret') === SECRET ? clientSecret : 'not the secret of anybody');
    passOn(real, { ...one, body: known.toString() }, response, (answer) => {
      const { access_token: token = '' } = JSON.parse(answer) as { readonly access_token?: string };
      realToken = token || realToken;
      return token ? answer.replace(token, TOKEN) : answer;
    });
  });
  return {
    url,
    arrived,
    behave(next) {
      manner = next;
    },
  };
}
