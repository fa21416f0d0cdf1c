/** Notifies those whom the profile names about a payment. A failure is reported and logged, and changes no exit code. */

import path from 'node:path';
import type { Tell } from '../../domain/event.ts';
import { Fault } from '../../domain/fault.ts';
import type { Notify, PaymentNotice } from '../../domain/payment-notice.ts';
import { MOUNTED_SECRETS } from '../../files/private-file.ts';
import { notificationOf } from '../../notify/notification.ts';
import { type Channels, type Told, tellAll } from '../../notify/tell-all.ts';
import { openTransport } from '../../service/client/transport.ts';
import { Closing, once } from '../closing.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { secretTextIn } from '../config/secret-text.ts';
import type { Shell } from '../shell.ts';

interface Notifier extends AsyncDisposable {
  readonly notify: Notify;
  /**
   * Sends a notice. Returns the result of each way, none if nobody is named. Throws a Fault `configuration` for an
   * unreadable secret.
   */
  send(notice: PaymentNotice): Promise<readonly Told[]>;
}

export function openNotifier(shell: Shell, loaded: LoadedConfig, tell: Tell): Notifier {
  const closing = new Closing();
  const transport = once(() => closing.adopt(openTransport(1, proxyFor(loaded)), (opened) => opened.close()));
  const { profileName: profile, config, account } = loaded;
  const origin = { organisation: config.organisation, profile, sandbox: account === undefined };
  const send = async (notice: PaymentNotice): Promise<readonly Told[]> => {
    const channels = channelsOf(loaded, shell);
    if (!channels) return [];
    const notification = notificationOf(notice, origin, shell.clock.now());
    return tellAll(channels, notification, { transport: transport(), clock: shell.clock });
  };
  const failed = (message: string): void => tell({ type: 'notice', level: 'warning', code: 'notify-failed', message });
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

/** Returns the proxy for the webhook: that of the account, or none for a webhook on this machine. */
function proxyFor({ account, profile: { notify } }: LoadedConfig): string | undefined {
  const isHere = notify?.webhook?.url.startsWith('http:') === true;
  return isHere ? undefined : account?.proxy;
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
        ...(mail.resultsTo && { resultsTo: mail.resultsTo }),
        ...(mail.user !== undefined && { user: mail.user }),
        ...(mail.passwordFile !== undefined && { password: secretIn(mail.passwordFile) }),
      },
    }),
  };
}
