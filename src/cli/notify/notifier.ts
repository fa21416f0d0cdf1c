/** Notifies those whom the profile names about a payment. A failure is reported and logged, and changes no exit code. */

import path from 'node:path';
import type { Emit } from '../../domain/event.ts';
import { exitCode } from '../../domain/exit-code.ts';
import { Fault } from '../../domain/fault.ts';
import { noOutcomes } from '../../domain/outcome.ts';
import { endPointOf, type Notify, type PaymentNotice, workbookOf } from '../../domain/payment-notice.ts';
import { present } from '../../domain/present.ts';
import { endedBy, type RunEnd } from '../../domain/run-end.ts';
import { MOUNTED_SECRETS, secretTextIn } from '../../files/private-file.ts';
import { notificationOf } from '../../notify/notification.ts';
import { type Channels, type Notified, notifyAll } from '../../notify/notify-all.ts';
import type { RunDeps } from '../../run/run-deps.ts';
import { openTransport } from '../../service/client/transport.ts';
import { Closing, once } from '../closing.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Session } from '../session.ts';
import type { Shell } from '../shell.ts';

interface Notifier extends AsyncDisposable {
  readonly notify: Notify;
  /**
   * Sends a notice. Returns the result of each way, none if nobody is named. Throws a Fault `configuration` for an
   * unreadable secret.
   */
  send(notice: PaymentNotice): Promise<readonly Notified[]>;
}

export function openNotifier(shell: Shell, loaded: LoadedConfig, emit: Emit): Notifier {
  const closing = new Closing();
  const { profileName: profile, config, account } = loaded;
  const isHere = loaded.profile.notify?.webhook?.url.startsWith('http:') === true;
  // The proxy of the account is for the webhook too, unless that is on this machine.
  const proxy = isHere ? undefined : account?.proxy;
  const transport = once(() => closing.adopt(openTransport(1, proxy), (opened) => opened.close()));
  const origin = { organisation: config.organisation, profile, sandbox: account === undefined };
  const send = async (notice: PaymentNotice): Promise<readonly Notified[]> => {
    const channels = channelsOf(loaded, shell);
    if (!channels) return [];
    const notification = notificationOf(notice, origin, shell.clock.now());
    return notifyAll(channels, notification, { transport: transport(), clock: shell.clock });
  };
  const failed = (message: string): void => emit({ type: 'notice', level: 'warning', code: 'notify-failed', message });
  return {
    send,
    async notify(notice) {
      try {
        for (const { way, failed: why } of await send(notice)) {
          if (why !== undefined)
            failed(`The notification "${notice.point}" about ${notice.batch} was not delivered by ${way}: ${why}.`);
        }
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        failed(`The notification "${notice.point}" about ${notice.batch} was not delivered: ${error.message}`);
      }
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Returns the ways of notifying that the profile names, with their secrets; `undefined` if it names none. */
function channelsOf({ profile: { notify }, programEnv }: LoadedConfig, { cwd, secrets }: Shell): Channels | undefined {
  if (!notify) return undefined;
  const { command, webhook, mail, timeoutMs } = notify;
  const secretIn = (file: string): string => {
    const secret = secretTextIn(path.resolve(cwd, file), { what: 'secret file', details: [MOUNTED_SECRETS] }).trim();
    secrets.add(secret);
    return secret;
  };
  return {
    timeoutMs,
    ...(command && { command: { argv: command, env: programEnv } }),
    ...(webhook && { webhook: { url: webhook.url, secret: secretIn(webhook.secretFile) } }),
    ...(mail && {
      mail: {
        server: mail.server,
        from: mail.from,
        to: mail.to,
        ...present({
          resultsTo: mail.resultsTo,
          user: mail.user,
          password: mail.passwordFile === undefined ? undefined : secretIn(mail.passwordFile),
        }),
      },
    }),
  };
}

/** Exit codes of work on an earlier batch that left rows without a final outcome. After any other exit code, nothing was sent. */
const OPEN: ReadonlySet<number> = new Set([
  exitCode.notFinal,
  exitCode.ledgerUnsafe,
  exitCode.interrupted,
  exitCode.terminated,
]);

/** Does the work, and sends notices about it. */
export async function notifying(
  shell: Shell,
  { deps, loaded }: Session,
  work: (deps: RunDeps) => Promise<RunEnd>,
): Promise<RunEnd> {
  await using notifier = openNotifier(shell, loaded, deps.emit);
  // Notices are sent while the payment runs, and are waited for at the end.
  const notified: Promise<void>[] = [];
  const say = (notice: Omit<PaymentNotice, 'command' | 'scheduled'>): void => {
    notified.push(notifier.notify({ ...notice, command: shell.command }));
  };
  let planned: string | undefined;
  const sayEnd = (end: RunEnd): void => {
    const { exit, counts, amounts, fault } = end;
    const batch = end.batch ?? planned;
    const mayHaveSent = planned !== undefined || OPEN.has(exit);
    const point = endPointOf(exit) ?? (mayHaveSent ? 'in-doubt' : undefined);
    if (batch === undefined || !point) return;
    say({ point, batch, exit, counts, ...present({ amounts, why: fault?.code }), ...workbookOf(end) });
  };
  try {
    const end = await work({
      ...deps,
      emit: (event) => {
        deps.emit(event);
        if (event.type !== 'batch.planned') return;
        planned = event.batch;
        say({ point: 'sent', batch: planned, exit: exitCode.ok, counts: noOutcomes() });
      },
    });
    sayEnd(end);
    return end;
  } catch (error) {
    if (error instanceof Fault) sayEnd(endedBy(error));
    throw error;
  } finally {
    await Promise.all(notified);
  }
}
