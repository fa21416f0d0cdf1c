/**
 * Notifies through all channels that are set up, at the same time. A failure only becomes a sentence in the result.
 */

import type { Clock } from '../domain/clock.ts';
import type { Transport } from '../service/client/transport.ts';
import { type CommandChannel, tellCommand } from './command.ts';
import { type MailChannel, tellMail } from './mail.ts';
import type { Delivery, Notification } from './notification.ts';
import { tellWebhook, type WebhookChannel } from './webhook.ts';

/** The channels that are set up. */
export interface Channels {
  readonly command?: CommandChannel;
  readonly webhook?: WebhookChannel;
  readonly mail?: MailChannel;
  /** Time limit of one try through one channel, in milliseconds. */
  readonly timeoutMs: number;
}

export interface TellDeps {
  readonly transport: Transport;
  readonly clock: Clock;
}

/** The result of one channel. */
export type Told = Delivery & { readonly way: 'command' | 'webhook' | 'mail' };

export async function tellAll(
  { command, webhook, mail, timeoutMs }: Channels,
  notification: Notification,
  deps: TellDeps,
): Promise<readonly Told[]> {
  const limits = { ...deps, timeoutMs };
  const ways: Promise<Told>[] = [];
  const add = (way: Told['way'], telling: Promise<Delivery>): void => {
    ways.push(telling.then((delivery) => ({ way, ...delivery })));
  };
  if (command) add('command', tellCommand(command, notification, limits));
  if (webhook) add('webhook', tellWebhook(webhook, notification, limits));
  if (mail) add('mail', tellMail(mail, notification, limits));
  return Promise.all(ways);
}
