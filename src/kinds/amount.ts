/** Reading an amount: exactly, or not at all. */
import { currencyOf, currencySymbols, homeCurrencies } from '../domain/currency.ts';
import type { Issue } from '../domain/issue.ts';
import { currencyRecord, type Money, parseAmount } from '../domain/money.ts';
import { type CellView, damageOf, issueAt, type ReadContext, type Reading, trimmed, value, wrong } from './column.ts';
import { plainDecimal } from './number-cell.ts';

/** `1,234,567.50` or `1,234.50`: commas in threes and a point, which can be read in only one way. */
const GROUPED_BY_COMMA = /^\d{1,3}(?:,\d{3})+\.\d+$|^\d{1,3}(?:,\d{3}){2,}$/;
/** `1 234,50` or `1.234,50`: the continental way with both signs, which can be read in only one way too. */
const GROUPED_BY_POINT = /^\d{1,3}(?:[. \u00a0]\d{3})+,\d+$|^\d{1,3}(?:[.]\d{3}){2,}$/;
/** `1,500`, `1.500`: fifteen hundred or one and a half. */
const AMBIGUOUS = /^\d{1,3}[.,]\d{3}$/;
const GROUPED_BY_SPACE = /^\d{1,3}(?:[ \u00a0]\d{3})+(?:\.\d+)?$/;

/** How East Africa writes that there are no cents. */
const WHOLE_SHILLINGS = /\/[=-]$/;

export function readAmount(view: CellView, context: ReadContext): Reading<Money> {
  const damage = damageOf(view);
  if (damage) return { ok: false, issue: damage };
  const text = trimmed(view);
  if (text === '') return wrong(view, 'PB-AMOUNT-MISSING');
  if (view.cell?.type === 'date') return wrong(view, 'PB-CELL-DATE');
  if (view.cell?.type === 'boolean') return wrong(view, 'PB-AMOUNT-TEXT');
  const decimal = view.cell?.type === 'number' ? plainDecimal(text) : decimalOfText(text, context.currency.code);
  if (decimal === 'ambiguous') return wrong(view, 'PB-AMOUNT-AMBIGUOUS');
  if (decimal === undefined) return wrong(view, 'PB-AMOUNT-TEXT');
  return readDecimal(view, decimal, context);
}

function readDecimal(view: CellView, decimal: string, { currency }: ReadContext): Reading<Money> {
  const parsed = parseAmount(decimal, currency);
  if (parsed.ok) return parsed.money.minor > 0n ? value(parsed.money) : wrong(view, 'PB-AMOUNT-ZERO');
  if (parsed.problem === 'too-precise') {
    return wrong(view, 'PB-AMOUNT-DECIMALS', { currency: currency.code, exponent: currency.exponent });
  }
  return wrong(view, 'PB-AMOUNT-TEXT');
}

/** The issue of an amount with cents, for what is paid in whole units of the currency. */
export function wholeUnitIssues({ minor, currency }: Money, view: CellView): readonly Issue[] {
  const unit = 10n ** BigInt(currencyRecord(currency).exponent);
  return minor % unit === 0n ? [] : [issueAt(view, 'PB-AMOUNT-WHOLE', { currency })];
}

/** The plain decimal of a typed amount, `ambiguous`, or undefined when it is not one. */
function decimalOfText(text: string, currency: string): string | 'ambiguous' | undefined {
  const bare = withoutCurrency(text, currency);
  const sign = bare.startsWith('-') ? '-' : '';
  const digits = bare.slice(sign.length).trim();
  // Whole shillings (`1,500/=`) have no cents that the comma could set off.
  if (WHOLE_SHILLINGS.test(text) && /^\d{1,3}(?:,\d{3})+$/.test(digits)) return sign + digits.replaceAll(',', '');
  if (/^\d+$/.test(digits)) return sign + digits;
  if (AMBIGUOUS.test(digits)) return 'ambiguous';
  if (/^\d+\.\d+$/.test(digits)) return sign + digits;
  if (GROUPED_BY_COMMA.test(digits)) return sign + digits.replaceAll(',', '');
  if (GROUPED_BY_SPACE.test(digits)) return sign + digits.replace(/[ \u00a0]/g, '');
  if (GROUPED_BY_POINT.test(digits)) return sign + digits.replace(/[. \u00a0]/g, '').replace(',', '.');
  return undefined;
}

/** Takes the batch's own currency off an amount (`KSh 1500/=`); any other letters stay and fail later. */
function withoutCurrency(text: string, currency: string): string {
  const names = [currency, ...(currencySymbols[currency] ?? [])].join('|');
  const mark = new RegExp(`^(?:${names})\\.?[\\s\\u00a0]*|[\\s\\u00a0]*(?:${names})$`, 'i');
  return text.replace(WHOLE_SHILLINGS, '').replace(mark, '').trim();
}

/** How a typed amount separates its cents or thousands; undefined when it shows neither, or cannot be read. */
export function decimalStyleOf(text: string, currency: string): 'point' | 'comma' | undefined {
  const digits = withoutCurrency(text, currency);
  if (GROUPED_BY_COMMA.test(digits)) return 'point';
  if (GROUPED_BY_POINT.test(digits)) return 'comma';
  return !AMBIGUOUS.test(digits) && /^[\d \u00a0]+\.\d+$/.test(digits) ? 'point' : undefined;
}

/** The currency that a heading names (`Amount (KES)`, `Montant USD`, `Pay KSh`), or undefined. */
export function currencyNamedIn(heading: string): string | undefined {
  const bracketed = /[([]\s*([A-Za-z]{3})\s*[)\]]/.exec(heading)?.[1];
  const known = bracketed === undefined ? undefined : currencyOf(bracketed)?.code;
  if (known !== undefined) return known;
  const words = heading.toUpperCase().match(/[A-Z]+/g) ?? [];
  return homeCurrencies.find((code) => {
    const names = [code, ...(currencySymbols[code] ?? []).filter((symbol) => symbol.length > 2)];
    return words.some((word) => names.includes(word));
  });
}

/** An amount outside the payout columns, for example in a total row; undefined when it cannot be read in one way. */
export function amountOf(text: string, type: 'number' | 'text', currency: Money['currency']): Money | undefined {
  const decimal = type === 'number' ? plainDecimal(text) : decimalOfText(text, currency);
  if (decimal === undefined || decimal === 'ambiguous') return undefined;
  const parsed = parseAmount(decimal, currencyRecord(currency));
  return parsed.ok ? parsed.money : undefined;
}
