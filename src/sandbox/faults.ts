/**
 * Faults of service and network. Whether a fault strikes depends on the seed, on what the request is about and on how often
 * it was seen, never on other requests: the same run meets the same faults at any concurrency.
 */
import { sha256 } from '../domain/ids.ts';
import { drawOf } from './draw.ts';
import { droppedReply, empty, type Reply, unauthorisedReply } from './reply.ts';
import type { Scenario } from './scenario.ts';
import type { Call, ServiceContext } from './service-context.ts';

const ERROR_PAGE =
  '<html><head><title>500 Internal Server Error</title></head><body>Internal Server Error</body></html>';
const FOREIGN_PAGE = '<html><head><title>Welcome</title></head><body>Please sign in to use the network.</body></html>';

const page = (status: number, body: string): Reply => ({ status, body, contentType: 'text/html' });

/** Returns the same page whether or not the service has acted, so that a client cannot tell the two apart. */
export const errorPage = (): Reply => page(500, ERROR_PAGE);

type BeforeFault = (call: Call, context: ServiceContext) => Reply;
type AfterFault = (reply: Reply) => Reply;

/** Faults that keep the service from acting, in the order in which they are tried. */
export const beforeFaults = {
  'reset-before': () => droppedReply,
  'error-before': errorPage,
  throttle: (_call, context) => empty(429, { 'retry-after': String(context.scenario().knobs['retry-after']) }),
  'token-expiry': (call, context) => {
    context.tokens.expireAll(call.at);
    return unauthorisedReply('error_description="The token expired"');
  },
} as const satisfies Record<string, BeforeFault>;

/** Faults that spoil the answer after the service has acted. */
export const afterFaults = {
  'lost-answer': () => droppedReply,
  'error-after': errorPage,
  garbage: () => page(200, FOREIGN_PAGE),
  truncate: (reply) => ({ ...reply, body: reply.body.slice(0, Math.ceil(reply.body.length / 2)) }),
} as const satisfies Record<string, AfterFault>;

type BeforeName = keyof typeof beforeFaults;
type AfterName = keyof typeof afterFaults;
const beforeNames = Object.keys(beforeFaults) as readonly BeforeName[]; // the table's own keys
const afterNames = Object.keys(afterFaults) as readonly AfterName[]; // the table's own keys

/** The fault that strikes a request, before or after the service acts; neither if none strikes. */
export interface Strike {
  readonly before?: BeforeName;
  readonly after?: AfterName;
}

export const hasFaults = ({ knobs }: Scenario): boolean =>
  beforeNames.some((name) => knobs[name] > 0) || afterNames.some((name) => knobs[name] > 0);

/** Draws the fault of the `seen`-th request (from 0) about `subject`. */
export function strikeOf(scenario: Scenario, subject: string, seen: number): Strike {
  const digest = sha256(`${scenario.seed}|fault|${subject}|${seen}`);
  const { knobs } = scenario;
  const before = beforeNames.find((name, index) => drawOf(digest, index) < knobs[name]);
  if (before) return { before };
  const after = afterNames.find((name, index) => drawOf(digest, beforeNames.length + index) < knobs[name]);
  return after ? { after } : {};
}
