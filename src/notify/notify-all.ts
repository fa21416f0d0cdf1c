/**
 * Notifies through all channels that are set up, at the same time. A failure only becomes a sentence in the result.
 */

import type { Clock } from '../domain/clock.ts';
import type { Transport } from '../service/client/transport.ts';
import { type CommandChannel, notifyByCommand } from './command.ts';
import { type MailChannel, notifyByMail } from './mail.ts';
import type { Delivery, Notification } from './notification.ts';
import { notifyByWebhook, type WebhookChannel } from './webhook.ts';

/** The channels that are set up. */
export interface Channels {
  readonly command?: CommandChannel;
  readonly webhook?: WebhookChannel;
  readonly mail?: MailChannel;
  /** Time limit of one try through one channel, in milliseconds. */
  readonly timeoutMs: number;
}

export interface NotifyDeps {
  readonly transport: Transport;
  readonly clock: Clock;
}

/** The result of one channel. */
export type Notified = Delivery & { readonly way: 'command' | 'webhook' | 'mail' };

export async function notifyAll(
  { command, webhook, mail, timeoutMs }: Channels,
  notification: Notification,
  deps: NotifyDeps,
): Promise<readonly Notified[]> {
  const limits = { ...deps, timeoutMs };
  const ways: Promise<Notified>[] = [];
  const add = (way: Notified['way'], delivering: Promise<Delivery>): void => {
    ways.push(delivering.then((delivery) => ({ way, ...delivery })));
  };
  if (command) add('command', notifyByCommand(command, notification, limits));
  if (webhook) add('webhook', notifyByWebhook(webhook, notification, limits));
  if (mail) add('mail', notifyByMail(mail, notification, limits));
  return Promise.all(ways);
}
