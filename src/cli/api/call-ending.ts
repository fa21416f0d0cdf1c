/** What the answer to a single call means for whoever made it: an exit code, and a sentence on stderr. */
import type { Reply, ReplyTag } from '../../client/reply.ts';
import type { AnyOperation } from '../../contract/operation.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { faultTable } from '../../domain/fault.ts';

export interface CallEnding {
  readonly exit: number;
  readonly level: 'info' | 'warning';
  /** Nothing when the answer speaks for itself. */
  readonly message?: string;
}

/** The service took too long, asked to wait, or its answer was lost. */
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

/** Who asks was refused. A submission that left with a token is not proven to have done nothing. */
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

/** How a single call ends. Every tag has its code, and only an acceptance is 0. What is known to help is said first. */
export function endingOf(operation: AnyOperation, reply: Reply<unknown>): CallEnding {
  const ending = endings[reply.tag](operation, reply);
  const fix = 'fix' in reply ? reply.fix : undefined;
  return fix === undefined ? ending : { ...ending, message: [fix, ending.message].join(' ') };
}
