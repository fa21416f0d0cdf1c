import { requireNoTiers } from '../../approval/require-approvals.ts';
import type { Reply } from '../../client/reply.ts';
import { checkInput } from '../../contract/input.ts';
import type { AnyOperation } from '../../contract/operation.ts';
import { Fault } from '../../domain/fault.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { practiceClient } from '../../sandbox/practice-account.ts';
import { submissions } from '../../submissions/index.ts';
import { endingOf } from '../api/call-ending.ts';
import { type ActingCall, CallRecord } from '../api/call-record.ts';
import { confirmCall } from '../api/confirm-call.ts';
import { allOperations, operationNamed } from '../api/named-operation.ts';
import { listEntry, listLines, pageEntry, pageLines } from '../api/operation-page.ts';
import { typedBody, typedQuery } from '../api/typed-input.ts';
import { cliCommand } from '../command.ts';
import { field } from '../flags/options.ts';
import { answered } from '../screens/answered.ts';
import { paidFromText } from '../screens/paid-from.ts';
import { openSession } from '../session.ts';
import type { Shell } from '../shell.ts';
import { stateFolder } from '../state/state-files.ts';

/** What one call takes from what was typed. */
interface CallOptions {
  readonly query: readonly string[];
  readonly data?: string | undefined;
  readonly confirm?: string | undefined;
  readonly scenario?: string | undefined;
  readonly showToken: boolean;
}

/** Stands for a token on paper and on screens. */
const MASK = '********';
/** Fields under which the service knows a request, in any spelling. */
const ID_FIELDS = ['originatorconversationid', 'systemtraceauditnumber'] as const;

export const api = cliCommand({
  example: 'paybatch api --list',
  moreExamples: ['paybatch api submit-order --describe', 'paybatch api find-order --query Id=EMP-001'],
  declare(command) {
    return command
      .argument('[operation]', 'name of the operation, for example find-order')
      .option('--query <name=value>', 'a field of the query; may be given several times', collect, [])
      .option('--data <file>', 'the body as JSON; -: from stdin')
      .option('--confirm <operation>', 'the name again: makes a call that may act on a live account without asking')
      .option('--scenario <name>', 'how the practice service behaves, for example lost-answer=1')
      .option('--show-token', 'write the token of request-token out', false)
      .option('--list', 'every operation with its path', false)
      .option('--describe', 'what the operation takes and answers', false);
  },
  async run(shell, [name], options) {
    if (options.list) {
      return answered(shell, { type: 'api.list', operations: allOperations.map(listEntry) }, listLines(allOperations));
    }
    if (name === undefined) {
      throw new Fault('usage', 'There is no operation.', 'Name one, for example find-routes; paybatch api --list.');
    }
    const operation = operationNamed(name);
    if (options.describe) {
      return answered(shell, { type: 'api.describe', ...pageEntry(operation) }, pageLines(operation));
    }
    return callOnce(shell, operation, options);
  },
});

/** Whether an operation sends money away. */
const isSubmission = ({ name }: AnyOperation): boolean =>
  Object.values(submissions).some(({ operation }) => operation.name === name);

const collect = (value: string, values: readonly string[]): readonly string[] => [...values, value];

async function callOnce(shell: Shell, operation: AnyOperation, options: CallOptions): Promise<RunEnd> {
  const input = checkInput(operation, await inputOf(shell, operation, options));
  await using session = await openSession(shell, {
    command: `api ${operation.name}`,
    ...field('scenario', options.scenario),
  });
  const { client, settings, signal } = session.deps;
  if (operation.repeatable) {
    return tell(shell, operation, await client.call(operation, { ...input, signal }), options);
  }
  if (isSubmission(operation)) await requireNoTiers(operation.name, session.deps);
  const call: ActingCall = {
    operation: operation.name,
    id: idOf(input.body),
    body: JSON.stringify(input.body),
  };
  const record = new CallRecord(stateFolder(session.loaded), shell.clock, shell.random);
  record.refuseAgain(call);
  if (!settings.sandbox) await confirmCall(shell, operation, call.body, options.confirm, paidFromText(session.loaded));
  const reply = await client.call(operation, {
    query: input.query,
    rendered: call.body,
    signal,
    beforeLeaving: async () => record.leaving(call),
  });
  if (!record.answered(call, reply)) {
    session.deps.tell({
      type: 'notice',
      level: 'warning',
      message: `The answer could not be added to ${record.path}.`,
    });
  }
  return tell(shell, operation, reply, options);
}

/** The operation that asks for a token takes the profile's own credentials, because no flag may hold a secret. */
async function inputOf(
  shell: Shell,
  operation: AnyOperation,
  options: CallOptions,
): Promise<{ query: unknown; body: unknown }> {
  const query = typedQuery(operation, options.query);
  const source = options.data;
  if (source !== undefined) return { query, body: await typedBody(shell, source) };
  if (operation.host !== 'token') return { query, body: undefined };
  const { account } = shell.config();
  const { clientId, clientSecret } = account ?? { clientId: practiceClient.id, clientSecret: practiceClient.secret };
  const body = {
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'client_credentials',
    scope: account?.scope ?? 'service_api',
  };
  return { query, body };
}

function idOf(body: unknown): string | undefined {
  const fields = Object.entries(body ?? {});
  const found = ID_FIELDS.map((wanted) => fields.find(([name]) => name.toLowerCase() === wanted)?.[1]);
  return found.find((value) => typeof value === 'string');
}

/** What the service said, in the order in which it is told. What a reply holds besides guides us, or stands in words on stderr. */
const TOLD = ['tag', 'status', 'value', 'reason', 'problem', 'forbidden', 'unsent', 'retryAfterMs'] as const;

function saidIn(reply: Reply<unknown>): object {
  const known = new Map<string, unknown>(Object.entries(reply));
  return Object.fromEntries(TOLD.flatMap((name) => (known.has(name) ? [[name, known.get(name)]] : [])));
}

/** The answer goes to stdout as it is; what it means, to stderr and into the exit code. */
function tell(shell: Shell, operation: AnyOperation, reply: Reply<unknown>, options: CallOptions): RunEnd {
  const { exit, level, message } = endingOf(operation, reply);
  const answer = saidIn(operation.host === 'token' && !options.showToken ? masked(reply) : reply);
  const event = { type: 'api.answer', operation: operation.name, ...answer };
  const end = answered(shell, event, { document: answer });
  if (message !== undefined) shell.reporter.tell({ type: 'notice', level, message });
  return { ...end, exit };
}

const masked = (reply: Reply<unknown>): Reply<unknown> =>
  reply.tag === 'accepted' ? { ...reply, value: { ...(reply.value as object), access_token: MASK } } : reply;
