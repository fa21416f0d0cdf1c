/** Reads what preflight needs from the service. A missing answer is a Fault, because nothing is sent without it. */

import type { CurrencyCode } from '../domain/currency.ts';
import { Fault } from '../domain/fault.ts';
import { unreachable } from '../domain/invariant.ts';
import { add, balanceFromWire, currencyRecord, type Money, sameMoney, zero } from '../domain/money.ts';
import type { Client } from '../service/client/client.ts';
import { type Reply, reasonOf } from '../service/client/reply.ts';
import { type BillService, findBillServices } from '../service/contract/bills.ts';
import { fetchCharges } from '../service/contract/charges.ts';
import type { AnyOperation } from '../service/contract/operation.ts';
import { getWalletBalance } from '../service/contract/wallet-balance.ts';
import { type Scale, scaleOf } from './charge.ts';

/** A refusal of the client itself, not of what it asked for. */
type Refusal = Extract<Reply<never>, { readonly tag: 'unauthorised' }>;

/**
 * Returns the value of an answer, or throws the Fault that ends preflight. `operation` is given if the service may answer it
 * at another path.
 */
export function valueOrFault<T>(reply: Reply<T>, what: string, operation?: AnyOperation): T {
  switch (reply.tag) {
    case 'accepted':
      return reply.value;
    case 'unauthorised':
      throw refusedCaller(reply, what);
    case 'refused':
    case 'exists':
      if (operation && isAtAnotherPath(reply, operation)) throw wrongPath(reply, what, operation);
      throw new Fault(
        'preflight-refused',
        `The service did not give ${what} (${reply.reason}).`,
        reply.status === 404
          ? 'Check the path of baseUrl in the profile, and its routes. Nothing was sent.'
          : 'Check the routes of the profile. Nothing was sent.',
      );
    case 'throttled':
    case 'not-sent':
    case 'ambiguous':
      if (operation && isAtAnotherPath(reply, operation)) throw wrongPath(reply, what, operation);
      throw new Fault(
        'unreachable',
        `The service could not be asked for ${what}: ${reply.reason}.`,
        `${fixOf(reply)} Nothing was sent.`,
      );
    default:
      return unreachable(reply);
  }
}

/** Returns what a person can do about a service that gave no answer. */
const fixOf = (reply: Extract<Reply<never>, { readonly tag: 'throttled' | 'not-sent' | 'ambiguous' }>): string => {
  if ('fix' in reply && reply.fix !== undefined) return reply.fix;
  const isBusy = reply.tag !== 'ambiguous' && reply.retryAfterMs !== undefined;
  return isBusy
    ? 'Wait for as long as the service asks, then run the same command again.'
    : 'Check the address and the network, then run the same command again.';
};

/** Returns the Fault for a refused client: `credentials`, or `permission-missing` if the token does not carry a permission. */
export function refusedCaller(reply: Refusal, what: string): Fault {
  if (!reply.forbidden) {
    return new Fault(
      'credentials',
      `The service refused the credentials (${reply.reason}).`,
      'Check client id, client secret and scope of the profile. Nothing was sent.',
    );
  }
  return new Fault(
    'permission-missing',
    `The token is valid, but this account may not ask for ${what} (${reply.reason}).`,
    'Check scope of the profile, or ask the provider for the permission. Nothing was sent.',
  );
}

const NOT_FOUND = 404;

/**
 * Reports whether an answer is a 404 about the path. A documented body is about the thing that was asked for, unless the
 * operation is known at several paths: such an operation names nothing that could be missing.
 */
const isAtAnotherPath = (reply: Reply<unknown>, { alsoAt = [] }: AnyOperation): boolean =>
  'status' in reply && reply.status === NOT_FOUND && (reply.tag === 'ambiguous' || alsoAt.length > 0);

function wrongPath(reply: Reply<unknown>, what: string, { name, path, alsoAt = [] }: AnyOperation): Fault {
  const known = [path, ...alsoAt].join(' and ');
  return new Fault(
    'configuration',
    `The service has nothing at the path for ${what} (${reasonOf(reply)}).`,
    `Check baseUrl of the profile. If only this path is wrong, set paths.${name} in the profile (known: ${known}), or ask the provider. Nothing was sent.`,
  );
}

/**
 * Returns the money that can be sent from the wallet now. Throws a Fault if it cannot be read, or contradicts itself. Spec:
 * "Wallet balance".
 */
export async function readBalance(client: Client, currency: CurrencyCode, signal?: AbortSignal): Promise<Money> {
  const ccy = String(currencyRecord(currency).numeric).padStart(3, '0');
  const reply = await client.call(getWalletBalance, { query: { ccy }, ...(signal && { signal }) });
  const record = valueOrFault(reply, 'the wallet balance', getWalletBalance);
  const balance = balanceFromWire(record.balance, currency);
  const accounts = record.customerAccountBalanceList ?? [];
  const parts = accounts.map((account) => balanceFromWire(account.balance, currency));
  const sum = parts.reduce(
    (total, part) => total && part && add(total, part),
    parts.length > 0 ? zero(currency) : balance,
  );
  if (record.status !== '00' || !balance || !sum || !sameMoney(sum, balance)) {
    throw new Fault(
      'preflight-refused',
      `The wallet balance of the service contradicts itself (status ${record.status}, total ${record.balance}).`,
      'Ask the provider what the wallet holds. Nothing was sent.',
    );
  }
  return balance;
}

/**
 * Like `readBalance`, for a run that sends orders. Returns `undefined` if the balance cannot be read, because that must not
 * stop a run that has begun.
 */
export async function balanceNow(
  client: Client,
  currency: CurrencyCode,
  signal: AbortSignal,
): Promise<Money | undefined> {
  try {
    return await readBalance(client, currency, signal);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/** Returns the charge scale of a transaction type. Spec: "Charges". */
export async function readScale(client: Client, transactionTypeId: string, currency: CurrencyCode): Promise<Scale> {
  const reply = await client.call(fetchCharges, { query: { transactionTypeId } });
  return scaleOf(valueOrFault(reply, 'the charges', fetchCharges), currency);
}

/** Returns every bill service that the provider lists, with the route of its group. Spec: "Bill services". */
export async function readBillServices(
  client: Client,
): Promise<readonly { readonly routeId: string; readonly service: BillService }[]> {
  const reply = await client.call(findBillServices, {});
  const { billServiceGroup } = valueOrFault(reply, 'the bill services', findBillServices);
  return billServiceGroup.flatMap(({ route, billServices }) =>
    billServices.map((service) => ({ routeId: route, service })),
  );
}
