import { once } from 'node:events';
import path from 'node:path';
import { type CallbackServer, startCallbackServer } from '../../callbacks/callback-server.ts';
import { Inbox } from '../../callbacks/inbox.ts';
import { listenerSecret } from '../../callbacks/listener-secret.ts';
import { inboxFile } from '../../callbacks/open-callbacks.ts';
import { callbackTopics } from '../../callbacks/read-callback.ts';
import { type KeptCallback, openReception, type ReceptionCounts } from '../../callbacks/reception.ts';
import { isoTime } from '../../domain/clock.ts';
import { exitCode } from '../../domain/exit-code.ts';
import type { Fault } from '../../domain/fault.ts';
import { loggedText } from '../../domain/msisdn.ts';
import { noOutcomes } from '../../domain/outcome.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { useOwnFolder } from '../../files/own-folder.ts';
import { MISDIRECTED } from '../../server/bounded-server.ts';
import { Closing } from '../closing.ts';
import { answerEvent, cliCommand } from '../command.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { jsonable } from '../events/jsonable.ts';
import { portNumber } from '../flags/options.ts';
import type { Shell } from '../shell.ts';
import { openLog } from '../state/log.ts';
import { stateFolder } from '../state/state-files.ts';

const DEFAULT_HOST = '127.0.0.1';
/** The default port: the same at every start, because a proxy is configured with it, and registered for no service. */
const DEFAULT_PORT = 8931;

export const listen = cliCommand({
  example: 'paybatch listen',
  moreExamples: ['paybatch listen --port 8080', 'paybatch listen --profile live'],
  declare: (command) =>
    command
      .option('--host <address>', 'address to listen on; only this machine reaches the default', DEFAULT_HOST)
      .option('--port <n>', 'port; 0: any free one', portNumber, DEFAULT_PORT),
  async run(shell, _, options): Promise<RunEnd> {
    const loaded = shell.config();
    useOwnFolder(stateFolder(loaded));
    const secret = secretOf(shell, loaded);
    await using stack = new Closing();
    const inbox = stack.use(new Inbox(inboxFile(stateFolder(loaded))));
    const { log, trouble } = openLog(loaded.home, shell.clock.now(), shell.secrets);
    if (trouble !== undefined) shell.reporter.emit({ type: 'notice', level: 'warning', message: trouble });
    const reception = openReception({
      inbox,
      clock: shell.clock,
      secrets: shell.secrets,
      kept(callback) {
        const event = eventOf(callback);
        log.info(jsonable(event, loggedText) as object); // an object stays an object
        emitKept(shell, event);
      },
      trouble: (fault) => {
        log.warn({ type: 'inbox', message: fault?.message ?? 'takes messages again' });
        emitTrouble(shell, fault);
      },
    });
    let isReported = false;
    const misdirected = (): void => {
      if (!isReported) emitMisdirected(shell);
      isReported = true;
    };
    const server = stack.adopt(
      await startCallbackServer({
        host: options.host,
        port: options.port,
        secret,
        names: namesOf(loaded),
        clock: shell.clock,
        take: reception.take,
        turnedAway(status) {
          reception.turnedAway();
          if (status === MISDIRECTED) misdirected();
        },
      }),
      (open) => open.close(),
    );
    emitListening(shell, loaded, server);
    // The secret need not be readable after this line, so it is hidden everywhere.
    shell.secrets.add(secret);
    if (!shell.signal.aborted) await Promise.race([once(shell.signal, 'abort'), server.broken]);
    await stack.disposeAsync();
    emitCounts(shell, reception.counts);
    return { exit: exitCode.ok, counts: noOutcomes(), files: [] };
  },
});

/**
 * Returns the secret of the listener. A file named in the configuration belongs to the user; the default one is made at
 * first use.
 */
function secretOf({ cwd }: Shell, loaded: LoadedConfig): string {
  const { secretFile } = loaded.profile.callbacks;
  return secretFile === undefined
    ? listenerSecret(path.join(stateFolder(loaded), 'callbacks.secret'), true)
    : listenerSecret(path.resolve(cwd, secretFile), false);
}

/** Host names under which a proxy may forward requests, in addition to the addresses of this machine: the one given to the service. */
const namesOf = ({ profile }: LoadedConfig): readonly string[] =>
  profile.callbacks.url === undefined ? [] : [new URL(profile.callbacks.url).hostname];

/** Warns that a caller who knows the secret used a foreign host name: most likely the user's own proxy. */
function emitMisdirected({ terminal }: Shell): void {
  terminal.sayLabelled(
    'WARN',
    `A callback was turned away (${MISDIRECTED}): it was addressed to another host name.`,
    'careful',
  );
  terminal.sayLabelled(
    '',
    'Have the proxy pass on the host name of callbacks.url, and set callbacks.url in the profile. The service then tries again.',
  );
}

/** Prints the address. It holds the secret, because the service has to be configured with it; the log never holds the secret. */
function emitListening(
  { flags, terminal, clock }: Shell,
  { profileName, account }: LoadedConfig,
  server: CallbackServer,
): void {
  const { url, loopback } = server;
  if (flags.json) {
    const { origin } = new URL(url);
    const opened = { url, origin, profile: profileName, topics: callbackTopics, loopback };
    answerEvent(terminal, clock.now(), { type: 'listening', ...opened });
  } else {
    const practice = account ? '' : terminal.paint('practice', 'SANDBOX: ');
    terminal.say(`${practice}Callbacks for the profile ${profileName} are received; Ctrl-C stops it.`);
    terminal.say(
      `Give the service this address with one of /${callbackTopics.join(' /')} after it. It holds a secret.`,
    );
    terminal.answer(url);
  }
  if (loopback) return;
  const warning =
    'Others can reach this address, and it is not https. Put a proxy with https before it, and only that.';
  terminal.sayLabelled('WARN', warning, 'careful');
}

const eventOf = ({ topic, subject, seq, receivedAt, fits }: KeptCallback) =>
  ({ type: 'callback', topic, subject, seq, receivedAt: isoTime(receivedAt), fits }) as const;

function emitKept({ flags, terminal, clock }: Shell, event: ReturnType<typeof eventOf>): void {
  if (flags.json) answerEvent(terminal, clock.now(), event);
  else {
    const strange = event.fits ? '' : '  (not in a known format)';
    terminal.answer(`${event.receivedAt}  ${event.topic.padEnd(8)}  ${shown(event.subject)}${strange}`);
  }
}

/**
 * Reports on stderr, in every mode, that callbacks cannot be kept, or can be kept again: anyone who watches only the events
 * must not take silence for quiet.
 */
function emitTrouble({ terminal }: Shell, fault: Pick<Fault, 'message' | 'remedy'> | undefined): void {
  if (fault === undefined) {
    terminal.sayLabelled('OK', 'Callbacks can be kept again.', 'good');
    return;
  }
  terminal.sayLabelled('ERROR', `A callback could not be kept: ${fault.message}`, 'bad');
  terminal.sayLabelled('', `The service got 503, and sends the message again later. ${fault.remedy}`);
}

function emitCounts({ flags, terminal, clock }: Shell, counts: ReceptionCounts): void {
  if (flags.json) {
    answerEvent(terminal, clock.now(), { type: 'listened', ...counts });
    return;
  }
  const { kept, repeated, preliminary, unreadable, unwritten, turnedAway } = counts;
  terminal.say(
    `Kept ${kept} callbacks, ${repeated} came again, ${preliminary} were preliminary; ${unreadable} could not be read, ` +
      `${unwritten} not be kept, ${turnedAway} requests were turned away.`,
  );
}
