/** What preflight reads from the service, and what it says when it cannot: nothing is sent on a missing answer. */
import type { Client } from '../client/client.ts';
import type { Reply } from '../client/reply.ts';
import { type BillService, findBillServices } from '../contract/bills.ts';
import { fetchCharges } from '../contract/charges.ts';
import { getWalletBalance } from '../contract/wallet-balance.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import { Fault } from '../domain/fault.ts';
import { unreachable } from '../domain/invariant.ts';
import { add, currencyRecord, fromWire, type Money, sameMoney, zero } from '../domain/money.ts';
import { type Scale, scaleOf } from './charge.ts';

/** The value of an answer, or the fault that ends preflight. */
export function valueOrFault<T>(reply: Reply<T>, what: string): T {
  switch (reply.tag) {
    case 'accepted':
      return reply.value;
    case 'unauthorised':
      throw new Fault(
        'credentials',
        `The service refused the credentials (${reply.reason}).`,
        'Check client id, client secret and scope of the profile. Nothing was sent.',
      );
    case 'refused':
    case 'exists':
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
      throw new Fault(
        'unreachable',
        `The service could not be asked for ${what}: ${reply.reason}.`,
        'Check the address and the network, then run the same command again. Nothing was sent.',
      );
    default:
      return unreachable(reply);
  }
}

/** Money that can be sent from the wallet now. Spec: "Wallet balance". */
export async function readBalance(client: Client, currency: CurrencyCode, signal?: AbortSignal): Promise<Money> {
  const ccy = String(currencyRecord(currency).numeric).padStart(3, '0');
  const reply = await client.call(getWalletBalance, { query: { ccy }, ...(signal && { signal }) });
  const record = valueOrFault(reply, 'the wallet balance');
  const balance = fromWire(record.balance, currency);
  const accounts = record.customerAccountBalanceList ?? [];
  const parts = accounts.map((account) => fromWire(account.balance, currency));
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

/** The same while orders go out; undefined when it cannot be read: that stops nobody who has begun. */
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

/** The charge scale of a transaction type. Spec: "Charges". */
export async function readScale(client: Client, transactionTypeId: string, currency: CurrencyCode): Promise<Scale> {
  const reply = await client.call(fetchCharges, { query: { transactionTypeId } });
  return scaleOf(valueOrFault(reply, 'the charges'), currency);
}

/** Every bill service that the provider lists, with the route of its group. Spec: "Bill services". */
export async function readBillServices(
  client: Client,
): Promise<readonly { readonly routeId: string; readonly service: BillService }[]> {
  const { billServiceGroup } = valueOrFault(await client.call(findBillServices, {}), 'the bill services');
  return billServiceGroup.flatMap(({ route, billServices }) =>
    billServices.map((service) => ({ routeId: route, service })),
  );
}
