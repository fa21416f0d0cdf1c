/** `paybatch api`: calls one operation of the service by its name. */
import type { Command } from '@commander-js/extra-typings';
import { requireNoTiers } from '../../approval/require-approvals.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { Fault, faultTable } from '../../domain/fault.ts';
import { didYouMean } from '../../domain/likeness.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { practiceClient } from '../../sandbox/practice-account.ts';
import type { Reply, ReplyTag } from '../../service/client/reply.ts';
import { operations } from '../../service/contract/index.ts';
import { checkInput } from '../../service/contract/input.ts';
import type { AnyOperation } from '../../service/contract/operation.ts';
import { submissions } from '../../service/submissions/index.ts';
import { answered, cliCommand } from '../command.ts';
import { type OptionsOf, severalTexts } from '../flags/options.ts';
import { askForText } from '../screens/ask.ts';
import { paidFromText } from '../screens/confirm.ts';
import { openSession } from '../session.ts';
import type { Shell } from '../shell.ts';
import { stateFolder } from '../state/state-files.ts';
import { type ActingCall, CallRecord } from './call-record.ts';
import { listEntry, listLines, pageEntry, pageLines } from './operation-page.ts';
import { typedBody, typedQuery } from './typed-input.ts';

interface CallEnding {
  readonly exit: number;
  readonly level: 'info' | 'warning';
  /** Absent if the answer speaks for itself. */
  readonly message?: string;
}

/** The ending of a call without a usable answer: the service took too long, asked to wait, or its answer was lost. */
function withoutAnswer({ name, repeatable }: AnyOperation): CallEnding {
  if (repeatable) {
    return {
      exit: faultTable.unreachable.exit,
      level: 'warning',
      message: `The service gave no usable answer. ${name} can be asked again safely.`,
    };
  }
  return {
    exit: exitCode.notFinal,
    level: 'warning',
    message: 'The service may have acted on it: look it up under its identifier, and never send it again.',
  };
}

/**
 * The ending of a call whose credentials or permission were refused. A submission that left with a token is not proven to have
 * done nothing.
 */
function refusedCaller({ name, repeatable }: AnyOperation, reply: Reply<unknown>): CallEnding {
  const { forbidden, unsent } = reply.tag === 'unauthorised' ? reply : {};
  const said = forbidden
    ? `The token is valid, but this account may not use ${name}: check scope of the profile, or ask the provider for the permission.`
    : 'The credentials were refused: check client id, secret and scope.';
  const fault = forbidden ? faultTable['permission-missing'] : faultTable.credentials;
  const message =
    repeatable || unsent ? said : `${said} It left with a token, so look it up: the same identifier is not sent again.`;
  return { exit: fault.exit, level: 'warning', message };
}

const endings: Readonly<Record<ReplyTag, (operation: AnyOperation, reply: Reply<unknown>) => CallEnding>> = {
  accepted: ({ repeatable }) => ({
    exit: exitCode.ok,
    level: 'info',
    ...(!repeatable && { message: 'Accepted means taken, not done: look up what became of it.' }),
  }),
  exists: () => ({
    exit: exitCode.someNotPaid,
    level: 'warning',
    message: 'The service holds this identifier already: look it up before anything else.',
  }),
  refused: () => ({ exit: exitCode.someNotPaid, level: 'warning', message: 'The service refused it.' }),
  unauthorised: refusedCaller,
  'not-sent': () => ({ exit: faultTable.unreachable.exit, level: 'warning', message: 'Nothing was sent.' }),
  throttled: withoutAnswer,
  ambiguous: withoutAnswer,
};

/**
 * Returns how a single call ends. Every tag of a reply has its exit code, and only an acceptance is 0. A fix that is known comes
 * first in the message.
 */
function endingOf(operation: AnyOperation, reply: Reply<unknown>): CallEnding {
  const ending = endings[reply.tag](operation, reply);
  const fix = 'fix' in reply ? reply.fix : undefined;
  return fix === undefined ? ending : { ...ending, message: [fix, ending.message].join(' ') };
}

/**
 * Has a single call that may act on a live account confirmed by its name, which a person types or a flag gives. Returns if the
 * call may be made; throws a Fault `declined` if it was not confirmed.
 */
async function confirmCall(
  shell: Shell,
  { name }: AnyOperation,
  body: string,
  flag: string | undefined,
  paidFrom: string,
): Promise<void> {
  const { terminal } = shell;
  if (flag === name) return;
  if (flag !== undefined) {
    throw declined(`--confirm says "${flag.slice(0, 40)}", but this is ${name}.`, `If you mean it: --confirm ${name}`);
  }
  if (!terminal.interactive) {
    throw declined(`${name} may act on a live account.`, `After checking it yourself, add: --confirm ${name}`);
  }
  terminal.say(paidFrom);
  terminal.say(shown(body));
  terminal.say(`This call goes to a live account. Type ${name} to continue, or press Ctrl-C to stop.`);
  const typed = await askForText(shell, 'Operation');
  if (typed?.trim() === name) return;
  throw declined('Declined.', 'Run it again when it is right.');
}

const declined = (message: string, remedy: string): Fault =>
  new Fault('declined', `${message} Nothing was sent.`, remedy);

const allOperations: readonly AnyOperation[] = Object.values(operations);

/** Returns the operation of a name. Throws a Fault `usage`, with a similar name, if there is none. */
function operationNamed(name: string): AnyOperation {
  const found = allOperations.find((operation) => operation.name === name);
  if (found) return found;
  // Split into words, the library's spelling (`submitOrder`) is nearest to its own operation (`submit-order`).
  const typed = name.replaceAll(/([a-z])([A-Z])/g, '$1-$2');
  const near = didYouMean(
    typed,
    allOperations.map((operation) => operation.name),
  );
  throw new Fault(
    'usage',
    `There is no operation "${name.slice(0, 40)}".`,
    `${near === undefined ? '' : `${near} `}\`paybatch api --list\` shows all of them.`,
  );
}

/** Replaces a token on paper and on screens. */
const MASK = '********';
/** Fields of a body that identify a request to the service, in any capitalisation. */
const ID_FIELDS = ['originatorconversationid', 'systemtraceauditnumber'] as const;

const declareApi = (command: Command) =>
  command
    .argument('[operation]', 'name of the operation, for example find-order')
    .option('--query <name=value>', 'a field of the query; may be given several times', severalTexts, [])
    .option('--data <file>', 'the body as JSON; -: from stdin')
    .option('--confirm <operation>', 'the name again: makes a call that may act on a live account without asking')
    .option('--scenario <name>', 'how the practice service behaves, for example lost-answer=1')
    .option('--show-token', 'write the token of request-token out', false)
    .option('--list', 'every operation with its path', false)
    .option('--describe', 'what the operation takes and answers', false);

type CallOptions = OptionsOf<ReturnType<typeof declareApi>>;

export const api = cliCommand({
  example: 'paybatch api --list',
  moreExamples: ['paybatch api submit-order --describe', 'paybatch api find-order --query Id=EMP-001'],
  declare: declareApi,
  async run(shell, [name], options) {
    if (options.list) {
      return answered(shell, { type: 'api.list', operations: allOperations.map(listEntry) }, listLines(allOperations));
    }
    if (name === undefined) {
      throw new Fault(
        'usage',
        'There is no operation.',
        'Name one, for example find-routes; all of them: paybatch api --list',
      );
    }
    const operation = operationNamed(name);
    if (options.describe) {
      return answered(shell, { type: 'api.describe', ...pageEntry(operation) }, pageLines(operation));
    }
    return callOnce(shell, operation, options);
  },
});

/** Reports whether an operation sends money. */
const isSubmission = ({ name }: AnyOperation): boolean =>
  Object.values(submissions).some(({ operation }) => operation.name === name);

async function callOnce(shell: Shell, operation: AnyOperation, options: CallOptions): Promise<RunEnd> {
  const input = checkInput(operation, await inputOf(shell, operation, options));
  const own = { ...shell, command: `api ${operation.name}` };
  await using session = await openSession(own, { scenario: options.scenario });
  const { client, settings, signal } = session.deps;
  if (operation.repeatable) {
    return emit(shell, operation, await client.call(operation, { ...input, signal }), options);
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
    session.deps.emit({
      type: 'notice',
      level: 'warning',
      message: `The answer could not be added to ${record.path}.`,
    });
  }
  return emit(shell, operation, reply, options);
}

/**
 * Builds the input of a call. The operation that requests a token takes the profile's own credentials, because no flag may hold a
 * secret.
 */
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

/** The fields of a reply that are printed, in this order. Its other fields guide paybatch, or are reported in words on stderr. */
const TOLD = ['tag', 'status', 'value', 'reason', 'problem', 'forbidden', 'unsent', 'retryAfterMs'] as const;

function saidIn(reply: Reply<unknown>): object {
  const known = new Map<string, unknown>(Object.entries(reply));
  return Object.fromEntries(TOLD.flatMap((name) => (known.has(name) ? [[name, known.get(name)]] : [])));
}

/** Writes the answer to stdout as it is; what it means goes to stderr and into the exit code. */
function emit(shell: Shell, operation: AnyOperation, reply: Reply<unknown>, options: CallOptions): RunEnd {
  const { exit, level, message } = endingOf(operation, reply);
  const answer = saidIn(operation.host === 'token' && !options.showToken ? masked(reply) : reply);
  const event = { type: 'api.answer', operation: operation.name, ...answer };
  const end = answered(shell, event, { document: answer });
  if (message !== undefined) shell.reporter.emit({ type: 'notice', level, message });
  return { ...end, exit };
}

const masked = (reply: Reply<unknown>): Reply<unknown> =>
  reply.tag === 'accepted' ? { ...reply, value: { ...(reply.value as object), access_token: MASK } } : reply;
