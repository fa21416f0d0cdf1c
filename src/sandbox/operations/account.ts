/** Operations on the account itself: token, routes, charges, balance, health. */

import { currencyOfNumber } from '../../domain/currency.ts';
import { toWire } from '../../domain/money.ts';
import { balanceOf } from '../books/wallets.ts';
import { chargeRecordOf, routeRecords, scaleOfType } from '../catalogue.ts';
import { isFields, textOf } from '../fields.ts';
import { practiceClient } from '../practice-account.ts';
import { json, type Reply, text, validationReply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';

/** Spec: "Token request". */
const SCOPE = 'service_api';

/** Issues a token. Its error words are those of OAuth 2.0 (RFC 6749 section 5.2). Spec: "Token request". */
export function requestToken(call: Call, context: ServiceContext): Reply {
  const form = isFields(call.body) ? call.body : {};
  const missing = ['client_id', 'client_secret', 'grant_type', 'scope'].some((name) => textOf(form, name) === '');
  if (missing) return json(400, { error: 'invalid_request' });
  if (form['client_id'] !== practiceClient.id || form['client_secret'] !== practiceClient.secret) {
    return json(401, { error: 'invalid_client' });
  }
  if (form['grant_type'] !== 'client_credentials') return json(400, { error: 'unsupported_grant_type' });
  if (form['scope'] !== SCOPE) return json(400, { error: 'invalid_scope' });
  const expires_in = context.scenario().knobs['token-life'];
  const access_token = context.tokens.issue(call.at, expires_in);
  return json(200, { access_token, expires_in, token_type: 'Bearer', scope: SCOPE });
}

/** Lists the routes. Observed operation "Find Transaction Routes". */
export const findRoutes = (): Reply => json(200, routeRecords());

/** Returns the charges of a transaction type. Spec: "Charges". */
export function fetchCharges(call: Call, context: ServiceContext): Reply {
  const id = call.query.get('transactiontypeid') ?? '';
  const scale = scaleOfType(id);
  if (scale) return json(200, chargeRecordOf(scale));
  const problem = id === '' ? 'is required' : 'is not the identifier of a transaction type';
  return validationReply({ transactionTypeId: [`The transactionTypeId field ${problem}.`] }, context.random);
}

/** Type of the only account behind a wallet. */
const WALLET_ACCOUNT_TYPE = 1;

/** Returns the balance of a wallet. Spec: "Wallet balance". */
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

/** Answers in plain text, and without a token (observed). */
export const checkHealth = (_call: Call, context: ServiceContext): Reply =>
  context.scenario().knobs['error-before'] === 1 ? text(503, 'Down') : text(200, 'Healthy');
