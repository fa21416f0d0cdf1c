/**
 * Signs that a sheet was paid before, in part or as a whole: people send a sheet again in which the receipts of some rows are
 * filled in. Nothing here keeps a row from being paid, so each column of such signs is a warning.
 */
import { type Cell, cellIn } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { currencyRecord, type Money } from '../domain/money.ts';
import { amountOf } from '../kinds/amount.ts';
import { TICKS } from '../kinds/asks-to-pay.ts';
import { withoutEdges } from '../kinds/column.ts';
import { holdColumn } from '../kinds/left-out.ts';
import { isErrorValue, isPlaceholder } from '../kinds/no-value.ts';
import { contentBelow } from '../kinds/not-to-pay.ts';
import { foldedWord, withoutAnswers } from '../kinds/plain-text.ts';
import type { BesideCheck, RowToPay } from './beside-check.ts';
import { type ColumnMap, textColumns } from './column-map.ts';

/** Folded headings of what is filled in when a row was paid. Before that, all rows are empty, or hold the day that is planned. */
const FILLED_WHEN_PAID: ReadonlySet<string> = new Set([
  ...['datepaid', 'paidon', 'paiddate', 'paymentdate', 'dateofpayment', 'paidat', 'dateofpay', 'disbursedon'],
  ...['mpesacode', 'mpesaref', 'mpesareference', 'mpesareceipt', 'mpesareceiptno', 'mpesatransactioncode'],
  ...['mpesatransactionid', 'mpesaconfirmation', 'mpesaconfirmationcode', 'confirmationcode', 'receipt', 'receiptno'],
  ...['receiptnumber', 'transactionid', 'transactioncode', 'transactionno', 'transactionnumber', 'transactionref'],
  ...['transactionreference', 'txnid', 'txnref', 'trxid', 'transid', 'transcode', 'chequeno', 'chequenumber'],
  ...['tareheyamalipo', 'tareheyakulipwa', 'nambayarisiti', 'nambariyarisiti', 'nambayamuamala', 'nambariyamuamala'],
  ...['kumbukumbuyamuamala', 'datedepaiement', 'datepaiement', 'payele', 'numeroderecu', 'nderecu', 'codempesa'],
  ...['completiontime', 'transactiontime', 'transactiondate', 'timepaid', 'timesent', 'datesent', 'senton'],
  ...['iddetransaction', 'idtransaction', 'codedetransaction', 'referencedetransaction'],
]);

/** Those of them that say it even of all rows: a day may be planned, and other receipts may be those of goods. */
const PROVES_PAID: ReadonlySet<string> = new Set([
  ...['mpesacode', 'mpesareceipt', 'mpesareceiptno', 'mpesatransactioncode', 'mpesatransactionid', 'mpesaconfirmation'],
  ...['mpesaconfirmationcode', 'confirmationcode', 'codempesa'],
]);
/** What networks and banks call a payment, and no payer does: the codes of M-PESA, the ids of MTN and Airtel, and `FT` of banks. */
const RECEIPT =
  /^\s*(?:[A-Z]{2}(?=[A-Z\d]*\d[A-Z\d]*[A-Z])[A-Z\d]{8}|(?!0|20[2-4])\d{10,11}|[A-Z]{2}\d{6}\.\d{4}\.[A-Z]?\d+|FT\d{5}[A-Z\d]{5,7})\s*$/;

/** Folded headings that ask whether a row was paid. */
const ASKS_IF_PAID: ReadonlySet<string> = new Set([
  ...['paid', 'ispaid', 'waspaid', 'paidstatus', 'paymentmade', 'paymentdone', 'paymentstatus', 'transactionstatus'],
  ...['txnstatus', 'trxstatus', 'mpesastatus', 'disbursed', 'disbursementstatus', 'payoutstatus', 'statusofpayment'],
  ...['imelipwa', 'amelipwa', 'haliyamalipo', 'haliyamuamala', 'paye', 'payee', 'statutdupaiement', 'statutpaiement'],
  ...['etatdupaiement', 'statutdelatransaction', 'amountpaid', 'paidamount', 'sent', 'moneysent', 'settled'],
  ...['received', 'moneyreceived'],
  ...['montantpaye', 'kiasikilicholipwa', 'result', 'resultdesc', 'resultdescription', 'paymentresult', 'outcome'],
  ...['transactionresult', 'resultat', 'matokeo'],
]);

/** Folded answers that say that it was. */
const WAS_PAID: ReadonlySet<string> = new Set([
  ...['yes', 'y', 'x', 'true', 'paid', 'fullypaid', 'done', 'complete', 'completed', 'success', 'successful'],
  ...['succeeded', 'sent', 'disbursed', 'processed', 'settled', 'ndiyo', 'ndio', 'amelipwa', 'imelipwa', 'tayari'],
  ...['imekamilika', 'imefanikiwa', 'oui', 'vrai', 'paye', 'payee', 'effectue', 'termine', 'reussi', 'reussie'],
]);
/** `Paid 5/11`, with what it was paid by or on. */
const PAID_AND_MORE = /^\s*paid\s+(?:on\s|by\s|in\s|via\s|\d)/iu;

/** Folded words that say it under any heading of states or remarks if other rows deny it. Alone, they are about another month. */
const PAID: ReadonlySet<string> = new Set(['paid', 'fullypaid', 'amelipwa', 'imelipwa', 'paye', 'payee']);

/** Folded words of a report of payments: beside those that failed, the others were made. In any other column, work was done. */
const MADE: ReadonlySet<string> = new Set([
  ...['complete', 'completed', 'success', 'successful', 'succeeded', 'sent', 'disbursed', 'processed', 'settled'],
  ...['imekamilika', 'imefanikiwa', 'effectue', 'reussi', 'reussie'],
]);
const FAILED: ReadonlySet<string> = new Set([
  ...['failed', 'failure', 'unsuccessful', 'timedout', 'timeout'],
  ...['imeshindwa', 'imeshindikana', 'echec', 'echoue', 'echouee'],
]);

/** Folded words that deny it. */
const NOT_PAID: ReadonlySet<string> = new Set([
  ...['unpaid', 'notpaid', 'notyetpaid', 'notyet', 'tobepaid', 'pending', 'hajalipwa', 'haijalipwa', 'bado'],
  ...['badohajalipwa', 'impaye', 'impayee', 'nonpaye', 'nonpayee', 'enattente', 'pasencore'],
]);

/** Folded words that leave open what would be filled in. */
const NOT_PAID_YET: ReadonlySet<string> = new Set([
  ...['no', 'n', 'notpaid', 'unpaid', 'notyet', 'pending', 'failed', 'tobepaid', 'hapana', 'bado', 'non', 'impaye'],
  ...['enattente', 'pasencore'],
]);

/** A column that shows whether a row was paid, with the first row in which it says so. */
interface Sign {
  readonly column: number;
  readonly heading: string;
  readonly says: (cell: Cell, amount: Money | undefined) => boolean;
  /**
   * Reports whether a cell says so even if those of all rows do. Otherwise it may be a day that is planned, or a number that
   * all rows have.
   */
  readonly proves: (cell: Cell) => boolean;
  isProven?: boolean;
  /** Reports whether a cell denies it, if it says so only beside such a cell. */
  readonly denies?: (cell: Cell) => boolean;
  isDenied?: boolean;
  first?: { readonly row: number; readonly cell: Cell };
  count: number;
}

/** Holds nothing of the rows but the first cell of each sign. */
export class PaidBefore implements BesideCheck {
  readonly #signs: readonly Sign[];
  #rows = 0;

  constructor({ headings }: ColumnMap) {
    const texts = headings.filter(({ means }) => means === undefined || textColumns.includes(means));
    this.#signs = texts.flatMap(({ column, text }) => signsBelow(text, column));
  }

  see({ row: { number, cells }, payout }: RowToPay): void {
    this.#rows += 1;
    for (const sign of this.#signs) {
      const cell = cellIn(cells, sign.column);
      if (cell && sign.denies?.(cell)) sign.isDenied = true;
      if (!cell || !sign.says(cell, payout?.amount)) continue;
      sign.first ??= { row: number, cell };
      if (sign.proves(cell)) sign.isProven = true;
      sign.count += 1;
    }
  }

  /** Returns the issue of each sign, at its first cell. */
  issues(): readonly Issue[] {
    return this.#signs.flatMap(({ first, heading, count, isProven, denies, isDenied }) => {
      if (!first || (!isProven && count === this.#rows) || (denies && !isDenied)) return [];
      const place = { row: first.row, cell: first.cell.address, value: first.cell.text.trim() };
      return [issue('PB-PAID-BEFORE-SHEET', place, { heading, count, hold: holdColumn.heading })];
    });
  }
}

function signsBelow(heading: string, column: number): readonly Sign[] {
  const word = foldedWord(withoutAnswers(heading));
  if (ASKS_IF_PAID.has(word)) {
    const says: Sign['says'] = (cell, amount) => saysPaid(cell) || (amount !== undefined && isAllOf(cell, amount));
    return [{ column, heading, says, proves: () => true, count: 0 }];
  }
  if (FILLED_WHEN_PAID.has(word)) {
    const proves: Sign['proves'] = ({ text }) => PROVES_PAID.has(word) || RECEIPT.test(text);
    return [{ column, heading, says: isFilled, proves, count: 0 }];
  }
  if (contentBelow(heading) !== 'states') return [];
  const has =
    (words: ReadonlySet<string>) =>
    ({ text }: Cell): boolean =>
      words.has(foldedWord(text));
  const signs = [
    { says: has(PAID), denies: has(NOT_PAID) },
    { says: has(MADE), denies: has(FAILED) },
  ];
  return signs.map((sign) => ({ ...sign, column, heading, proves: () => false, count: 0 }));
}

const saysPaid = ({ type, text }: Cell): boolean =>
  type === 'date' ||
  ((type === 'text' || type === 'boolean') &&
    (WAS_PAID.has(foldedWord(text)) || TICKS.test(text) || PAID_AND_MORE.test(text)));

/** Reports whether a cell is a figure of all that is to be paid. A smaller one may be a part that was paid before. */
function isAllOf({ type, text }: Cell, { minor, currency }: Money): boolean {
  if (type !== 'text' && type !== 'number') return false;
  const figure = amountOf(withoutEdges(text), type, { currency: currencyRecord(currency) });
  return figure !== undefined && figure.minor >= minor;
}

const isFilled = (cell: Cell): boolean =>
  cell.text.trim() !== '' && !isPlaceholder(cell) && !isErrorValue(cell) && !NOT_PAID_YET.has(foldedWord(cell.text));
