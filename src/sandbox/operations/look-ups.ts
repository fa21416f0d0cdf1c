/** Operations that only read: charges, wallet balance, routes. */
import { currencyOfNumber } from '../../domain/currency.ts';
import { toWire } from '../../domain/money.ts';
import { balanceOf } from '../books/wallets.ts';
import { chargeRecordOf, routeRecords, scaleOfType } from '../catalogue.ts';
import { json, type Reply, validationReply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';

/** Type of the one account behind a wallet. */
const WALLET_ACCOUNT_TYPE = 1;

/** Spec: "Charges". */
export function fetchCharges(call: Call, context: ServiceContext): Reply {
  const id = call.query.get('transactiontypeid') ?? '';
  const scale = scaleOfType(id);
  if (scale) return json(200, chargeRecordOf(scale));
  const problem = id === '' ? 'is required' : 'is not the identifier of a transaction type';
  return validationReply({ transactionTypeId: [`The transactionTypeId field ${problem}.`] }, context.random);
}

/** Spec: "Wallet balance". */
export function getWalletBalance(call: Call, context: ServiceContext): Reply {
  const ccy = call.query.get('ccy') ?? '';
  const currency = /^\d{1,3}$/.test(ccy) ? currencyOfNumber(ccy) : undefined;
  const wallet = currency && context.books.wallet(currency.code);
  if (!wallet) {
    const problem = ccy === '' ? 'is required' : 'is not the numeric code of a currency with a wallet';
    return validationReply({ ccy: [`The ccy field ${problem}.`] }, context.random);
  }
  const balance = toWire({ minor: balanceOf(wallet), currency: wallet.currency });
  return json(200, {
    customerAccountBalanceList: [{ status: '00', message: null, balance, type: WALLET_ACCOUNT_TYPE }],
    status: '00',
    balance,
  });
}

/** Observed operation "Find Transaction Routes". */
export const findRoutes = (): Reply => json(200, routeRecords());
