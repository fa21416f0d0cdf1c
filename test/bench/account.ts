/** The account at the instant service, as a configuration has it, and the sheets that are paid from it. */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

export const ROUTE = { routeId: 'r-wallet', channelType: 1, transactionTypeId: 't-wallet' };

export interface Sending {
  readonly concurrency: number;
  readonly linesPerOrder: number;
  /** How long a run waits for final words, in milliseconds. */
  readonly deadlineMs?: number;
}

/** The configuration of a profile `live` there; its waits are short, since the service has no secrets from nobody. */
export const configurationFor = (
  url: string,
  { concurrency, linesPerOrder, deadlineMs = 900_000 }: Sending,
): object => ({
  organisation: 'Bench Ltd',
  currency: 'KES',
  country: 'KE',
  timezone: 'Africa/Nairobi',
  defaultProfile: 'live',
  profiles: {
    live: {
      baseUrl: url,
      tokenUrl: `${url}/connect/token`,
      clientId: 'bench',
      secretOrigins: [url],
      scope: 'service_api',
      routes: { wallet: ROUTE },
      sending: { concurrency, ratePerSecond: 0, linesPerOrder, requestTimeoutMs: 30_000 },
      polling: { firstMs: 10, maxMs: 1000, deadlineMs },
      inDoubt: { resend: 'same-id', unknownGapMs: 50, quietMs: 60_000, maxAgeMs: 86_400_000, maxResends: 3 },
    },
  },
  remitter: { name: 'Bench Ltd', phoneNumber: '+254700000000', country: 'KE' },
  limits: { perRow: { KES: '250000' }, perBatch: { KES: '100000000000' } },
});

const FIRST_AMOUNT = 1000;
const AMOUNTS = 977;
export const HEADINGS = ['Reference', 'Name', 'Phone', 'Amount', 'Department'] as const;

/** A row of the payroll: reference, name, phone, amount, department. */
export const rowAt = (index: number, prefix = 'P'): readonly [string, string, string, string, string] => [
  `${prefix}-${index}`,
  `Person ${index}`,
  `07${String(10_000_000 + index).padStart(8, '0')}`,
  amountAt(index),
  `Department ${index % 40}`,
];

const amountAt = (index: number): string => `${FIRST_AMOUNT + (index % AMOUNTS)}.00`;

/** Sum of the amounts of so many rows, as a decimal. */
export function totalOf(rows: number, from = 0): string {
  let sum = 0;
  for (let index = from; index < from + rows; index++) sum += FIRST_AMOUNT + (index % AMOUNTS);
  return `${sum}.00`;
}

/** Writes a payroll of so many rows as CSV. `from`: the number of its first person, for sheets that have nobody in common. */
export async function writePayroll(file: string, rows: number, prefix = 'P', from = 0): Promise<void> {
  const out = createWriteStream(file);
  out.write(`${HEADINGS.join(',')}\n`);
  for (let index = from; index < from + rows; index++) {
    if (!out.write(`${rowAt(index, prefix).join(',')}\n`)) await once(out, 'drain');
  }
  await finished(out.end());
}
