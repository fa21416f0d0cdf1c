/** What the practice service answers in addition to the interface, to callers that have the control token of this start. */

import { Fault } from '../domain/fault.ts';
import { mayControl } from './admission.ts';
import type { Books } from './books/statement.ts';
import { checkoutRecordOf } from './operations/checkouts.ts';
import { json, type Reply } from './reply.ts';
import { parseScenario, type Scenario } from './scenario.ts';
import type { Received } from './service.ts';
import type { ServiceContext } from './service-context.ts';

const CONTROL_PREFIX = '/__sandbox/';

/** What the controls work with. */
export interface Controls {
  readonly context: ServiceContext;
  /** The control token of this start. */
  readonly token: string;
  books(): Books;
  /** Plays another scenario from now on. */
  play(scenario: Scenario): void;
}

type Control = (request: Received, controls: Controls) => Reply;

/** Controls by method and first word of the path. Each control reads the rest of the path itself. */
const controlTable: Readonly<Record<string, Control>> = {
  'GET books': (_request, { books }) => json(200, books()),
  'POST scenario': play,
  'POST checkouts': decide,
};

/** Answers a control. Returns `undefined` for any other path. */
export function controlReply(request: Received, controls: Controls): Reply | undefined {
  const { method, path } = request;
  if (!path.startsWith(CONTROL_PREFIX)) return undefined;
  if (!mayControl(request, controls.token)) return notAllowed;
  const control = controlTable[`${method} ${wordsOf(path)[0]}`];
  return control ? control(request, controls) : notThere(request);
}

const notAllowed: Reply = {
  ...json(401, { message: 'The controls need the token of this start: Authorization: Bearer CONTROL_TOKEN.' }),
  headers: { 'www-authenticate': 'Bearer realm="controls"' },
};

const wordsOf = (path: string): readonly string[] => path.slice(CONTROL_PREFIX.length).split('/');
const notThere = ({ method, path }: Received): Reply => json(404, { message: `There is no ${method} ${path}.` });

function play({ body }: Received, { play: begin }: Controls): Reply {
  try {
    const scenario = parseScenario(body);
    begin(scenario);
    return json(200, scenario);
  } catch (error) {
    if (error instanceof Fault) return json(400, { message: error.message, remedy: error.remedy });
    throw error;
  }
}

const decisions = { pay: 'completed', cancel: 'cancelled' } as const;

/** Ends a checkout as its payer could: `checkouts/ID/pay` and `checkouts/ID/cancel`, with the client's own identifier. */
function decide(request: Received, { context }: Controls): Reply {
  const [, id = '', word = ''] = wordsOf(request.path);
  const checkout = context.books.request('create-checkout', decodedOf(id));
  if (!checkout || (word !== 'pay' && word !== 'cancel')) return notThere(request);
  const at = context.books.advance();
  const ended = context.books.decide(checkout, decisions[word]);
  if (ended.length === 0) return json(409, { message: 'The checkout has ended already.' });
  return json(200, checkoutRecordOf(checkout, at));
}

function decodedOf(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
