/** Remarks that ask for another amount than the one that would be paid: `Pay 5,000 only`, `Five thousand only`, `Pay half`. */
import type { Money } from '../domain/money.ts';
import { amountOf } from '../kinds/amount.ts';
import type { ReadContext } from '../kinds/column.ts';
import { amountInWords } from './amount-in-words.ts';

/** A figure, perhaps with its currency. Years, phones and small numbers, as in `pay 2 days`, are none. */
const FIGURE =
  '(?:[a-z]{2,4}\\.?\\s*)?(?!20[2-4]\\d(?!\\d))([1-9]\\d{0,2}(?:,\\d{3})+(?:\\.\\d+)?|[1-9]\\d{2,7}(?:\\.\\d+)?)(?![\\d%]|\\s*(?:%|days?|hours?|hrs|kgs?|km|units?|pcs|litres?)\\b)';

const PAY = '(?:pay(?: (?:only|just|him|her|them))?|should (?:be|read)|alipwe|mlipe|lipa|payer(?: seulement)?)';
/** What is to be paid. It may be the amount of the row. */
const ORDERED = new RegExp(`\\b${PAY}:?\\s+${FIGURE}|(?<![\\d,.])${FIGURE}(?:\\s*/[=-])?\\s+(?:only|tu)\\b`);

/** What is to be changed, or paid of the amount. */
const CHANGED = new RegExp(
  `\\b(?:deduct|recover|subtract|add|reduce by|increase by|kata|ongeza|d[eé]duire|ajouter)(?:\\s+[a-z]+){0,3}?:?\\s+${FIGURE}|` +
    `${FIGURE}(?:\\s*/[=-])?\\s+to be (?:deducted|recovered|added)\\b|\\bto be (?:deducted|recovered|added):?\\s+${FIGURE}|` +
    '\\bpay (?:only )?(?:half|\\d{1,2} ?%)|\\b(?:alipwe|mlipe|lipa) nusu\\b|\\bpayer (?:seulement )?la moiti[eé]',
);

/** Most characters of a text that is looked at. */
const TEXT_MAX = 400;

/** Reports whether a text asks for another amount than this one. */
export function asksForOtherAmount(text: string, amount: Money, context: Pick<ReadContext, 'currency'>): boolean {
  const said = text.slice(0, TEXT_MAX).toLowerCase();
  if (CHANGED.test(said)) return true;
  const inWords = amountInWords(said);
  if (inWords !== undefined) return inWords * 10n ** BigInt(context.currency.exponent) !== amount.minor;
  const [, ordered, only] = ORDERED.exec(said) ?? [];
  const figure = ordered ?? only;
  return figure !== undefined && amountOf(figure.replaceAll(',', ''), 'text', context)?.minor !== amount.minor;
}
