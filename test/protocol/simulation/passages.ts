/** What each fault of the network does to a request and to its answer. */
import type { Exchange } from '../../../src/service/client/transport.ts';
import type { Chance } from '../../support/seeded-random.ts';
import type { NetworkFault } from './fault-kinds.ts';
import type { Answer } from './wire.ts';

/** A request that is about to go, and what can be done with it. */
export interface Passage {
  readonly chance: Chance;
  readonly timeoutMs: number;
  /** Longest way of a request that arrives after its client gave up. */
  readonly lateMaxMs: number;
  /** Time from the process to the service. */
  readonly thereMs: number;
  /** Time from the service back. */
  backMs(): number;
  /** The service gets the request after a delay; its answer comes back as `change` leaves it, or not at all. */
  arrive(delayMs: number, change?: ((answer: Answer) => Answer) | undefined, slowMs?: number): void;
  /** The process is given an answer that the service did not make. */
  answer(delayMs: number, answer: Answer, retryAfter?: string): void;
  /** The connection ends; `unsent`: before a byte of the request left. */
  fail(delayMs: number, failure: Failure, unsent: boolean): void;
}

export type Failure = readonly [code: string, syscall: string];

/** Errors of a connection that was never made: no byte of the request can have left. */
const unreached: readonly Failure[] = [
  ['ECONNREFUSED', 'connect'],
  ['ETIMEDOUT', 'connect'],
  ['ECONNRESET', 'connect'],
  ['ENOTFOUND', 'getaddrinfo'],
  ['UND_ERR_CONNECT_TIMEOUT', ''],
];
/** Errors of a connection that broke: the service may have the request. */
const broken: readonly Failure[] = [
  ['ECONNRESET', 'read'],
  ['EPIPE', 'write'],
  ['UND_ERR_SOCKET', ''],
];

export const failureOf = ([code, syscall]: Failure): Exchange => ({ tag: 'failed', code, syscall });

const pages: readonly string[] = ['<html><body>Welcome to the airport</body></html>', '', '{}', '[1,2', 'null'];

/** Answers in the form of the service's own errors that are not about the order: somebody in between made them. */
const otherRefusals: readonly Answer[] = [
  { status: 400, body: '{"appDomainName":"LIVE","reason":"The request cannot be served now."}' },
  { status: 404, body: '{"errors":{"Path":["No upstream for this path."]}}' },
];

const errorPage = (chance: Chance): Answer => ({
  status: chance.pick([500, 500, 502, 503, 504, 408]),
  body: chance.pick(['<html>Bad gateway</html>', '{"reason":"Internal error"}', '']),
});

const strange = (chance: Chance): Answer => ({ status: 200, body: chance.pick(pages) });
const asItIs = (answer: Answer): Answer => answer;

function throttle({ chance, thereMs, answer }: Passage, retryAfter?: string): void {
  const body = chance.pick(['', '{"message":"too many requests"}']);
  answer(thereMs, { status: chance.pick([429, 429, 503]), body }, retryAfter);
}

/** Nothing goes wrong. */
export const undisturbed = ({ thereMs, arrive }: Passage): void => arrive(thereMs, asItIs);

export const passages: Readonly<Record<NetworkFault, (passage: Passage) => void>> = {
  unreached: ({ chance, thereMs, fail }) => fail(thereMs, chance.pick(unreached), true),
  outage({ chance, thereMs, fail }) {
    if (chance.onceIn(2)) fail(thereMs, chance.pick(unreached), true);
  },
  'lost-request': () => undefined,
  'lost-answer': ({ thereMs, arrive }) => arrive(thereMs),
  'reset-before': ({ chance, thereMs, fail }) => fail(thereMs, chance.pick(broken), false),
  'reset-after'({ chance, thereMs, backMs, arrive, fail }) {
    arrive(thereMs);
    fail(thereMs + backMs(), chance.pick(broken), false);
  },
  'late-request'({ chance, thereMs, lateMaxMs, arrive, fail }) {
    if (chance.onceIn(2)) fail(thereMs, chance.pick(broken), false);
    arrive(chance.between(thereMs, Math.max(thereMs, lateMaxMs)));
  },
  'delivered-twice'({ chance, thereMs, timeoutMs, lateMaxMs, arrive }) {
    const firstIsHeard = chance.onceIn(2);
    arrive(thereMs, firstIsHeard ? asItIs : undefined);
    const laterMs = chance.below(chance.pick([timeoutMs, lateMaxMs]));
    arrive(thereMs + laterMs, firstIsHeard ? undefined : asItIs);
  },
  slow: ({ chance, thereMs, timeoutMs, arrive }) => arrive(thereMs + chance.below(timeoutMs), asItIs, timeoutMs),
  'error-before': ({ chance, thereMs, answer }) =>
    answer(thereMs, chance.onceIn(6) ? chance.pick(otherRefusals) : errorPage(chance)),
  'error-after': ({ chance, thereMs, arrive }) =>
    arrive(thereMs, () => (chance.onceIn(6) ? chance.pick(otherRefusals) : errorPage(chance))),
  throttled: (passage) => throttle(passage),
  'throttled-with-time': (passage) => throttle(passage, String(passage.chance.pick([0, 1, 2, 5, 10, 40]))),
  'garbage-before': ({ chance, thereMs, answer }) => answer(thereMs, strange(chance)),
  'garbage-after': ({ chance, thereMs, arrive }) => arrive(thereMs, () => strange(chance)),
  truncated: ({ thereMs, arrive }) =>
    arrive(thereMs, ({ status, body }) => ({ status, body: body.slice(0, body.length >> 1) })),
  'other-refusal': ({ chance, thereMs, arrive }) => arrive(thereMs, () => chance.pick(otherRefusals)),
  'token-error': ({ chance, thereMs, arrive }) => arrive(thereMs, () => errorPage(chance)),
};
