/** Reads an amount: exactly, or not at all. */
import { type Currency, type CurrencyCode, currencyOf, currencySymbols, homeCurrencies } from '../domain/currency.ts';
import { currencyOfName, currencyOfSign, namesOf, soleNamesOf } from '../domain/currency-names.ts';
import type { Issue } from '../domain/issue.ts';
import { currencyRecord, type Money, parseAmount } from '../domain/money.ts';
import { type DecimalMark, otherMark, signOf } from '../domain/number-format.ts';
import {
  type CellView,
  damageOf,
  issueAt,
  type ReadContext,
  type Reading,
  trimmed,
  value,
  warned,
  wrong,
} from './column.ts';
import { plainDecimal } from './number-cell.ts';
import { shownIssue } from './shown-amount.ts';

/** `1,234,567.50` or `1,234.50`: commas between thousands and a point, which can be read in only one way. */
const GROUPED_BY_COMMA = /^\d{1,3}(?:,\d{3})+\.\d+$|^\d{1,3}(?:,\d{3}){2,}$/;
/** `1 234,50` or `1.234,50`: the continental form with both signs, which also can be read in only one way. */
const GROUPED_BY_POINT = /^\d{1,3}(?:[. ]\d{3})+,\d+$|^\d{1,3}(?:\.\d{3}){2,}$/;
/** `1,500`, `1.500`: fifteen hundred, or one and a half. */
const OPEN = /^\d{1,3}([.,])\d{3}$/;
/** `100,50`: cents after a comma, but nothing in the text proves that commas mean that. */
const COMMA_CENTS = /^\d+,\d{1,2}$/;
const GROUPED_BY_SPACE = /^\d{1,3}(?: \d{3})+$/;
const POINT_CENTS = /^\d{1,3}(?: \d{3})+\.\d+$|^\d+\.\d+$/;

/** How East Africans write that there are no cents. */
const WHOLE_SHILLINGS = /\/[=-]$/;
/** `1,500/=`: whole shillings have no cents, so the comma must separate thousands. */
const SHILLINGS_BY_COMMA = /^[1-9]\d{0,2}(?:,\d{3})+$/;

/** How an amount was typed: the decimal mark that it proves, or could have. */
export type Written =
  /** No decimal mark or thousands sign that could be taken for one: the amount is the same either way. */
  | { readonly tag: 'bare' }
  | { readonly tag: 'proof'; readonly mark: DecimalMark }
  /** Cents after a comma, which only the whole column, or the file, can confirm. */
  | { readonly tag: 'comma-cents' }
  /**
   * Thousands or three decimals, as in `1,500`. `sign`: the sign in the text, as a decimal mark; `fits`: the marks with which
   * the text is an amount.
   */
  | { readonly tag: 'open'; readonly sign: DecimalMark; readonly fits: readonly DecimalMark[] };

const bare: Written = { tag: 'bare' };
const pointProof: Written = { tag: 'proof', mark: 'point' };
const commaProof: Written = { tag: 'proof', mark: 'comma' };

/** Digits, with at most two after a point: most amounts of a payroll, which need no other rule. */
const PLAIN = /^\d+(?:\.\d\d?)?$/;

export function readAmount(view: CellView, context: ReadContext): Reading<Money> {
  const damage = damageOf(view);
  if (damage) return { ok: false, issue: damage };
  const shown = shownIssue(view, context.currency.code);
  if (shown?.level === 'error') return { ok: false, issue: shown };
  const held = readHeld(view, context);
  return shown ? warned(held, shown) : held;
}

/** Reads the amount that a cell holds, however the cell shows it. */
function readHeld(view: CellView, context: ReadContext): Reading<Money> {
  const text = trimmed(view);
  if (text === '') return wrong(view, 'PB-AMOUNT-MISSING');
  if (view.cell?.type === 'date') return wrong(view, 'PB-CELL-DATE');
  if (view.cell?.type === 'boolean') return wrong(view, 'PB-AMOUNT-TEXT');
  const decimal = view.cell?.type === 'number' ? plainDecimal(text) : decimalOfText(text, context);
  if (decimal === undefined) return wrong(view, 'PB-AMOUNT-TEXT');
  if (typeof decimal === 'string') return readDecimal(view, decimal, context);
  if (decimal.tag === 'open') return wrong(view, 'PB-AMOUNT-AMBIGUOUS', { mark: otherMark(decimal.sign) });
  const { found } = decimal;
  const marks = { found: signOf(found), expected: signOf(otherMark(found)), mark: found };
  return wrong(view, 'PB-AMOUNT-MARK', marks);
}

function readDecimal(view: CellView, decimal: string, { currency }: ReadContext): Reading<Money> {
  const parsed = parseAmount(decimal, currency);
  if (parsed.ok) return parsed.money.minor > 0n ? value(parsed.money) : wrong(view, 'PB-AMOUNT-ZERO');
  if (parsed.problem === 'too-precise') {
    return wrong(view, 'PB-AMOUNT-DECIMALS', { currency: currency.code, exponent: currency.exponent });
  }
  return wrong(view, parsed.problem === 'too-large' ? 'PB-AMOUNT-LARGE' : 'PB-AMOUNT-TEXT');
}

/** Returns the issue of an amount with cents, for payments in whole units of the currency. */
export function wholeUnitIssues({ minor, currency }: Money, view: CellView): readonly Issue[] {
  const unit = 10n ** BigInt(currencyRecord(currency).exponent);
  return minor % unit === 0n ? [] : [issueAt(view, 'PB-AMOUNT-WHOLE', { currency })];
}

/** Why a typed amount has no plain decimal: it is ambiguous, or has another mark than the column. */
type Unread =
  | { readonly tag: 'open'; readonly sign: DecimalMark }
  | { readonly tag: 'other-mark'; readonly found: DecimalMark };

type AmountContext = Pick<ReadContext, 'currency' | 'decimals'>;

/** Most characters of a text that is looked at as an amount, with its currency and blanks. */
const LONGEST_WRITTEN = 64;

/** Returns the plain decimal of a typed amount, or why there is none; `undefined` if the text is not an amount. */
function decimalOfText(text: string, { currency, decimals }: AmountContext): string | Unread | undefined {
  // Without separators, nothing has to be removed.
  const plain = plainlyWritten(text);
  if (plain === bare || (plain === pointProof && decimals !== 'comma')) return text;
  const written = plain ?? writtenAs(text, currency);
  if (written === undefined) return undefined;
  const { sign, digits } = partsOf(text, currency.code);
  if (written.tag === 'open') {
    return decimals && written.fits.includes(decimals) ? sign + plainOf(digits, decimals) : written;
  }
  if (written.tag === 'bare') return sign + plainOf(digits, 'point');
  const mark = written.tag === 'proof' ? written.mark : 'comma';
  // If nothing decides the mark, an amount that proves its own mark is read by it; a comma alone proves nothing.
  const expected = decimals ?? (written.tag === 'proof' ? mark : 'point');
  return mark === expected ? sign + plainOf(digits, mark) : { tag: 'other-mark', found: mark };
}

const plainOf = (digits: string, mark: DecimalMark): string =>
  mark === 'point' ? digits.replace(/[, ]/g, '') : digits.replace(/[. ]/g, '').replace(',', '.');

function plainlyWritten(text: string): Written | undefined {
  if (!PLAIN.test(text)) return undefined;
  return text.includes('.') ? pointProof : bare;
}

/** Returns how a text writes its amount; `undefined` if it is not an amount. */
export function writtenAs(text: string, { code, exponent }: Currency): Written | undefined {
  const plain = plainlyWritten(text);
  if (plain) return plain;
  if (text.length > LONGEST_WRITTEN) return undefined;
  const { digits } = partsOf(text, code);
  const isWhole = WHOLE_SHILLINGS.test(text);
  if (/^\d+$/.test(digits) || GROUPED_BY_SPACE.test(digits)) return bare;
  if (isWhole && SHILLINGS_BY_COMMA.test(digits)) return pointProof;
  const open = OPEN.exec(digits);
  const own = open?.[1] === ',' ? 'comma' : 'point';
  // A currency without decimals has no half of a thousand.
  if (own === 'comma' && open && exponent === 0 && !digits.startsWith('0')) return pointProof;
  if (open) return { tag: 'open', sign: own, fits: fittingMarks(digits, own, exponent) };
  if (GROUPED_BY_COMMA.test(digits) || POINT_CENTS.test(digits)) return pointProof;
  if (GROUPED_BY_POINT.test(digits)) return commaProof;
  return COMMA_CENTS.test(digits) && !isWhole ? { tag: 'comma-cents' } : undefined;
}

/**
 * Returns the marks with which `1,500` is an amount: its own mark only if the currency has three decimals, and the other mark
 * if the text is grouped correctly.
 */
const fittingMarks = (digits: string, own: DecimalMark, exponent: number): readonly DecimalMark[] => [
  ...(exponent >= 3 ? [own] : []),
  ...(digits.startsWith('0') ? [] : [otherMark(own)]),
];

function partsOf(text: string, currency: CurrencyCode): { readonly sign: string; readonly digits: string } {
  const amount = withoutCurrency(text, currency);
  const sign = amount.startsWith('-') ? '-' : '';
  return { sign, digits: amount.slice(sign.length).trim() };
}

/** Blanks of several widths that spreadsheets put between thousands, especially in French. */
const BLANKS = /[\u00a0\u2007\u2009\u202f]/g;

/**
 * Removes the batch's own currency from an amount (`KSh 1500/=`) and turns blanks into plain spaces. Any other letters stay,
 * and fail later.
 */
function withoutCurrency(text: string, currency: CurrencyCode): string {
  const whole = text.replace(BLANKS, ' ').replace(WHOLE_SHILLINGS, '');
  // The names of all currencies are compared once for the pattern, which takes a while, and most amounts name none.
  return (NAMED.test(whole) ? whole.replace(currencyMark(currency), '') : whole).trim();
}

const NAMED = /[\p{L}\p{Sc}]/u;
/** A name of a currency that is more than one letter. */
const WRITTEN = /\p{L}{2}|\p{Sc}/u;

const currencyMarks = new Map<CurrencyCode, RegExp>();

/** Returns a pattern for the currency at the beginning or end of an amount. Built once, because every amount of a sheet is matched. */
function currencyMark(currency: CurrencyCode): RegExp {
  const known = currencyMarks.get(currency);
  if (known) return known;
  const shillings = namesOf(currency).has(SHILLING_NAME) ? [SHILLING_NAME] : [];
  // One letter next to figures may be a unit: `15K`.
  const words = [...(currencySymbols[currency] ?? []), ...shillings, ...soleNamesOf(currency)].filter((word) =>
    WRITTEN.test(word),
  );
  const names = words
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replace(/[$.]/g, '\\$&'))
    .join('|');
  const mark = new RegExp(`^(?:${names})\\.?\\s*|\\s*(?:${names})\\.?$`, 'i');
  currencyMarks.set(currency, mark);
  return mark;
}

/** In a heading, `Sh` does not say which country's shilling it is. */
const SHILLING = 'SH';
/** The shilling of any country that has one, as all of them are called. */
const SHILLING_NAME = 'SHS';
const SHILLINGS = /(?:\bin\s+)?[([]?\b(?:shs|shillings)\b\.?[)\]]?/i;
/** What a currency is called, at the end of a heading: `Net Pay in Birr`. */
const WORD_AT_END = /\s(?:(?:in|en|katika)\s+)?[([]?(\p{L}{3,})[)\]]?\s*$/u;
/**
 * A code in brackets is a currency in any heading, and so is a symbol of two letters. Without brackets, only codes and longer
 * symbols of the countries that are served and their neighbours are.
 */
const BRACKETED = /[([]\s*([A-Za-z]{3})\s*[)\]]/;
const knownCurrencies = [...new Set([...homeCurrencies, ...Object.keys(currencySymbols)])];
const namesInHeadings = knownCurrencies.map((code): readonly [string, RegExp] => {
  const symbols = currencySymbols[code] ?? [];
  const words = [code, ...symbols.filter(({ length }) => length > 2)];
  const short = symbols.filter((symbol) => symbol.length <= 2 && symbol !== SHILLING);
  const inBrackets = short.length > 0 ? `|[([]\\s*(?:${short.join('|')})\\.?\\s*[)\\]]` : '';
  return [
    code,
    new RegExp(`(?:\\b(?:in|en|katika)\\s+)?[([]?\\b(?:${words.join('|')})\\b\\.?[)\\]]?${inBrackets}`, 'i'),
  ];
});

/** The sign of a currency, with or without letters of its country: `$`, `US$`. */
const SIGN = /(?:(?<!\p{L})[A-Z]{1,2})?\p{Sc}/u;

interface CurrencyHeading {
  readonly currency: string;
  /** The sign that names the currency, which may be that of others too; absent if a word does. */
  readonly sign?: string;
  readonly rest: string;
}

/**
 * Splits a heading into the currency that it names and the rest (`Amount (KES)`, `Montant USD`, `Pay KSh`, `Salary ($)`);
 * `undefined` if it names none.
 */
export function currencyHeading(heading: string): CurrencyHeading | undefined {
  const bracketed = BRACKETED.exec(heading)?.[1];
  const known = bracketed === undefined ? undefined : currencyOf(bracketed)?.code;
  if (known !== undefined) return { currency: known, rest: heading.replace(BRACKETED, '') };
  const [code, name] = namesInHeadings.find(([, pattern]) => pattern.test(heading)) ?? [];
  if (code !== undefined && name) return { currency: code, rest: heading.replace(name, '') };
  const shillings = SHILLINGS.exec(heading)?.[0];
  if (shillings !== undefined) return { currency: 'KES', sign: SHILLING_NAME, rest: heading.replace(SHILLINGS, '') };
  const word = WORD_AT_END.exec(heading);
  // A code may be a word: `Pay ALL`.
  const called = word?.[1] === undefined || currencyOf(word[1]) ? undefined : currencyOfName(word[1]);
  if (called !== undefined && word) return { currency: called, rest: heading.slice(0, word.index) };
  const sign = SIGN.exec(heading)?.[0];
  const signed = sign === undefined ? undefined : currencyOfSign(sign);
  return signed && sign !== undefined ? { currency: signed, sign, rest: heading.replace(SIGN, '') } : undefined;
}

/** Returns the currency that a heading names, if it is another one; `undefined` if it is this one, or if it names none. */
export function otherCurrencyIn(heading: string, currency: CurrencyCode): string | undefined {
  const said = currencyHeading(heading);
  return said && said.currency !== currency && !namesOf(currency).has(said.sign ?? '') ? said.currency : undefined;
}

/** Returns an amount outside the payout columns, for example in a total row; `undefined` if it cannot be read in exactly one way. */
export function amountOf(text: string, type: 'number' | 'text', context: AmountContext): Money | undefined {
  const decimal = type === 'number' ? plainDecimal(text) : decimalOfText(text, context);
  if (typeof decimal !== 'string') return undefined;
  const parsed = parseAmount(decimal, context.currency);
  return parsed.ok ? parsed.money : undefined;
}

/**
 * The meanings of amount headings. On a payroll several of them are side by side, and only one is what is paid: gross pay,
 * or a rate, would pay the wrong sum. Whole headings are compared, never a word inside one. A heading that is not listed
 * (`Basic Pay`, `Gross Pay`, `Total Deductions`, `Loan Balance`, `YTD`, `Days`, `Rate`) is not an amount, and is a reason to
 * ask only by its wording, below.
 */
export const amountHeadings = {
  /** The sum that is left to be paid. Such a heading decides, no matter what is next to it. */
  net: [
    'Net Pay',
    'Nett Pay',
    'Net Salary',
    'Net Wage',
    'Net Wages',
    'Net Earnings',
    'Net to Pay',
    'Net Payable',
    'Net Payment',
    'Net Amount Payable',
    'Net Salary Payable',
    'Net Pay Payable',
    'Take Home',
    'Take Home Pay',
    'Salaire net',
    'Net à payer',
    'Mshahara halisi',
    'Mshahara wa Mkononi',
    'Net à percevoir',
  ],
  /** May be paid even next to a net heading; then a person has to choose. */
  payable: [
    'Amount Payable',
    'Amount to Pay',
    'Amount to be Paid',
    'Amount Due',
    'Payable',
    'Total Payable',
    'Net Payable Amount',
    'Total Net Pay',
    'Payment Amount',
    'Payout',
    'Payout Amount',
    'Disbursement Amount',
    'Net Disbursement',
    'Net Dividend',
    'Net Refund',
    'Refund Amount',
    'Amount to Refund',
    'Transfer Amount',
    'Montant à payer',
    'Montant net à payer',
    'Kiasi cha Kulipwa',
    'Approved Amount',
    'Amount Approved',
    'Amount Awarded',
    'Award Amount',
    'Amount Allocated',
    'Bursary Amount',
    'Net Entitlement',
    'Dividend Payable',
  ],
  /** Just the amount. A balance next to it is what is left on an account. */
  plain: ['Amount', 'Amt', 'Montant', 'Kiasi', 'Amafaranga'],
  /** The amount if it is the only such heading; among several, a person has to choose. */
  open: [
    'Net',
    'Net Amount',
    'Net Amount (VAT)',
    'Salary',
    'Salary Amount',
    'Pay',
    'Pay Amount',
    'Wages',
    'Total Amount',
    'Total Pay',
    'Montant net',
    'Stipend',
    'Total Per Diem',
    'Mshahara',
    'Malipo',
    'Umushahara',
  ],
  /** Never the amount when it is the only one. Next to another heading, it is a reason to ask. */
  total: ['Total', 'Grand Total', 'Payment'],
  balance: ['Balance'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** `asked`: never the amount on its own word, and a reason to ask next to any other heading. */
export type AmountHeading = keyof typeof amountHeadings | 'asked';

const PAY =
  '(?:amount|amt|sum|pay|payment|salary|salaries|wages?|montant|paiement|salaire|kiasi|malipo|mshahara|mishahara)';
/** Words for an amount that replaces another one, as `wordsOf` has them. */
export const SETTLED =
  '(?:final|approved|authori[sz]ed|agreed|revised|correct(?:ed)?|new|updated|adjusted|actual|rounded|confirmed|verified|mpya|sahihi|corrige|revise|approuve)';

const TO_PAY =
  '(?:to (?:be )?(?:paid|pay|disbursed?|transfer(?:red)?)|payable|a payer|a verser|(?:cha |ya )?kulipwa) (?:now |this (?:week|month|time) |maintenant |sasa )?';

/**
 * Headings that are not listed and still say that they may be what is paid, by their words (`wordsOf`). Paying the
 * `Salary` next to an `Amount to Pay` would pay the wrong sum.
 */
export const amountWordings: readonly { readonly says: AmountHeading; readonly words: RegExp }[] = [
  // What is still to be paid: `Salary Payable`, `Total to Pay`. A balance, and words that name no sum, may be about debts.
  {
    says: 'payable',
    words: new RegExp(`^ (?:(?:${PAY}|nett?|total) )+${TO_PAY}$`),
  },
  { says: 'asked', words: new RegExp(`^ (?:(?:${PAY}|nett?|total|balance|reste|solde) )*${TO_PAY}$`) },
  { says: 'asked', words: /^ (?:(?:amount|amt|sum|nett?|total|balance|salary|wages?) )+due $/ },
  // What was settled: `Revised Amount`, `Pay (rounded)`, `Rounded`.
  {
    says: 'asked',
    words: new RegExp(
      `^ (?:${SETTLED} (?:nett? )?(?:${PAY} )+|(?:nett? )?(?:${PAY} )+${SETTLED} |rounded (?:off |up )?)$`,
    ),
  },
  // What goes one of several ways: `Bank Amount`, `M-PESA Amount`.
  { says: 'asked', words: new RegExp(`^ (?:bank|m pesa|mpesa|mobile money|wallet|cash) (?:${PAY} )+$`) },
  // What leaves: `Payout`, `Amount to Send`, `Net Disbursement`, `Montant à virer`, `Mshahara wa mkononi`.
  {
    says: 'asked',
    words: new RegExp(
      `^ (?:(?:${PAY}|nett?|total|montant) )*(?:pay out|payout|disburse(?:d|ment)|remittance|remitted|settlement|transferred|eft|in hand|(?:to|a) (?:send|remit|virer|percevoir)|(?:wa )?mkononi) (?:(?:amount|amt) )?$`,
    ),
  },
  // What is received: `Farmer Receives`, `Anachopokea`, `Baada ya makato`.
  {
    says: 'asked',
    words:
      / (?:receives|to receive|(?:amount|nett?|pay) receivable|anachopokea|anayopokea|anayolipwa|anacholipwa|baada ya makato|after (?:deductions?|tax|charges)) $/,
  },
  // Net by another word: `Net Dividend`, `Total Net`, `Pay (Net)`, `N/Pay`. `Net weight` is not money.
  {
    says: 'asked',
    words: /^ nett? (?:cash|total|dividend|disbursement|refund|proceeds|claim|certified(?: amount)?|sum|take home) $/,
  },
  { says: 'asked', words: new RegExp(`^ (?:(?:${PAY}|payable|total) nett?|nett|n pay) $`) },
  // What is left: `Salary less advance`, `Net of tax`.
  {
    says: 'asked',
    words: new RegExp(`^ (?:(?:${PAY}|total) )+(?:after|less|minus|net of) |^ nett? (?:of|after|less) `),
  },
  // `Net Pay (Casuals)`, which next to `Net Pay` is a part of it.
  { says: 'total', words: new RegExp(` nett? ${PAY} | ${PAY} (?:net|halisi) `) },
  { says: 'total', words: new RegExp(`^ (?:grand )?total (?:${PAY} )+$`) },
];

/** Headings that are the amount if no other heading may be. */
export const amountAliases: readonly string[] = (['net', 'payable', 'plain', 'open'] as const).flatMap(
  (say) => amountHeadings[say],
);
