/**
 * Notifies through a webhook, signed as Standard Webhooks 1.0.0 requires: HMAC-SHA256 over id, time and body. It tries twice
 * more, under the same id, if there was no answer or if the status is 429 or a server error.
 */
import { createHmac } from 'node:crypto';
import type { Clock } from '../domain/clock.ts';
import type { Exchange, Transport } from '../service/client/transport.ts';
import type { Delivery, Notification } from './notification.ts';

export interface WebhookChannel {
  readonly url: string;
  /** Secret as the receiver issued it: `whsec_` and Base64. */
  readonly secret: string;
}

const PREFIX = 'whsec_';
/** Number of bytes of a secret, according to the specification. */
const KEY_BYTES = { min: 24, max: 64 } as const;
/** Waits before the second and the third try, in milliseconds. */
const RETRY_MS = [1000, 5000] as const;
const MS_PER_SECOND = 1000;
const THROTTLED = 429;
const SERVER_ERROR = 500;

/** Returns the key in a secret; `undefined` if the text is not a secret. */
export function webhookKey(secret: string): Buffer | undefined {
  const text = secret.trim();
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const key = Buffer.from(text.slice(PREFIX.length), 'base64');
  return key.length >= KEY_BYTES.min && key.length <= KEY_BYTES.max ? key : undefined;
}

export const webhookHeaders = (
  key: Buffer,
  { id, at, body }: Pick<Notification, 'id' | 'at' | 'body'>,
): Record<string, string> => {
  const seconds = String(Math.floor(at / MS_PER_SECOND));
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  };
};

export interface WebhookDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

export async function notifyByWebhook(
  { url, secret }: WebhookChannel,
  notification: Notification,
  { transport, clock, timeoutMs }: WebhookDeps,
): Promise<Delivery> {
  const key = webhookKey(secret);
  if (!key) return { failed: 'its secret is not valid: it must be whsec_ followed by the Base64 of 24 to 64 bytes' };
  const { origin, pathname, search } = new URL(url);
  const place = { origin, path: pathname + search };
  for (let tries = 0; ; tries++) {
    // The signed time is that of the try, because receivers refuse old ones.
    const signed = { ...notification, at: tries === 0 ? notification.at : clock.now() };
    const exchange = await transport.exchange({
      method: 'POST',
      ...place,
      headers: webhookHeaders(key, signed),
      body: notification.body,
      timeoutMs,
    });
    if (exchange.tag === 'answered' && exchange.status >= 200 && exchange.status < 300) return {};
    const wait = RETRY_MS[tries];
    if (wait === undefined || !mayHelp(exchange)) return { failed: reasonOf(exchange) };
    await clock.sleep(wait);
  }
}

const mayHelp = (exchange: Exchange): boolean =>
  exchange.tag === 'failed' || exchange.status === THROTTLED || exchange.status >= SERVER_ERROR;

/** Returns why a notification was not delivered. Omits the address: anyone who knows it can post there. */
const reasonOf = (exchange: Exchange): string =>
  exchange.tag === 'answered' ? `it answered ${exchange.status}` : `it could not be reached (${exchange.code})`;
