/** Reads what a sheet says, in words beside its amounts, that they are in: another currency, or thousands. */
import type { Cell, SheetRow } from '../domain/cell.ts';
import { type CurrencyCode, currencyOf, currencySymbols, homeCurrencies } from '../domain/currency.ts';
import { currencyOfName, isCurrencyName, namesOf, soleNamesOf } from '../domain/currency-names.ts';
import { type Issue, issue } from '../domain/issue.ts';

/** Most characters of a cell that are looked at: whoever says what the amounts are in uses few words. */
const TEXT_MAX = 200;

/** `'000`, `(KES 000)`, `000s`, `in thousands`, `en milliers`, `katika maelfu`. */
const SCALED =
  /(?<!\d)['’‘`]000(?!\d)|[([]\p{L}{2,4}\.?\s*000[)\]]|[([]000[)\]]\s*$|(?<!\d)000['’]s(?!\p{L})|(?:^|[([]|(?<!\p{L})(?:amounts?|figures?|values?|all|pay|salar(?:y|ies)|wages|montants?|kiasi|viasi|[a-z]{3}|kshs)\s+(?:(?:are|is|shown|stated|sont|ni)\s+)*)(?:in|en|katika)\s+(?:thousands?|millions?|milliers?|maelfu|mamilioni)(?!\p{L})/iu;
/** Words about money that is not that of the amounts: `Budget (USD)`, `Exchange rate`, `Total in USD at 129`. */
const OF_OTHER_MONEY =
  /(?<!\p{L})(?:donors?|grants?|budgets?|rates?|exchange|equivalent|converted|source|accounts?|funded|totals?|bailleur|subvention|taux)(?!\p{L})/iu;
/** What says that the amounts themselves are in the currency behind it, whatever else the text is about. */
const STATED =
  /(?<!\p{L})(?<!totals?\s)(?:amounts?|figures|values|montants|kiasi|viasi)\s+(?:(?:are|is|shown|stated|given|paid|expressed|sont|ni|zote|vyote)\s+)*$/iu;
/** What may follow the currency of the amounts. Before a noun, it is a name: `in Euro Hotel`. */
const AFTER_CURRENCY =
  /^\.?\s*(?:$|[)\]}.,;:!/–—-]|\d|(?:shillings?|shs?|francs?|dollars?|for|only|at|unless|and|pour|kwa)(?!\p{L}))/iu;
/** Words of amounts in front of a currency. */
const OF_AMOUNTS =
  /(?<!\p{L})(?:amounts?|figures?|values?|payments?|salar(?:y|ies)|wages|montants?|kiasi|viasi|malipo)(?!\p{L})/iu;
/** The Constituencies Development Fund of Kenya, which pays bursaries, besides the franc of Congo. */
const FUND = 'CDF';
/** Currencies whose codes people here write into titles; any other code may be the name of something. */
const COMMON: ReadonlySet<string> = new Set(
  [...homeCurrencies, ...Object.keys(currencySymbols), 'EUR', 'GBP', 'ZAR'].filter((code) => code !== FUND),
);

/** What comes before the currency of the amounts: `All amounts in USD`, `Montants en USD`, `(USD)`, `Consultants - USD`. */
const BEFORE_CURRENCY = /(?<!\p{L})(?:in|en|katika)\s+|[([]\s*|\s[-–—]\s+(?=\S+\s*$)/giu;

/** The label of a currency, in the same cell as the currency or in the one before it. */
const CURRENCY_LABEL = /^\s*(?:currency(?:\s+code)?|devise|monnaie|sarafu)\s*[:=-]?\s*/iu;

/** The shilling of a country is named by two words; the first one alone is the country. */
const COUNTRY = /^(?:kenya|tanzania|uganda)n?$/iu;
const SHILLINGS = /^sh(?:s|illings?)?$/iu;

/** Reports whether a text says that amounts are in thousands or millions. */
export const isScaled = (text: string): boolean => SCALED.test(text.slice(0, TEXT_MAX));

/** Returns the issue of a line that says that the amounts are not in full units of the batch's currency. */
export function unitIssue({ number, cells }: SheetRow, currency: CurrencyCode): Issue | undefined {
  const texts = cells.filter(({ type, text }) => type === 'text' && text !== '');
  const scaled = texts.find(({ text }) => isScaled(text));
  if (scaled) return issue('PB-AMOUNT-UNIT', placeOf(number, scaled));
  const isCompared = texts.some(({ text }) => names(text, currency));
  for (const [at, cell] of texts.entries()) {
    const named = currencyStatedIn(cell, texts[at + 1], isCompared);
    if (named !== undefined && !namesOf(currency).has(named)) {
      return issue('PB-CURRENCY-HEADING', placeOf(number, cell), { named: currencyOfName(named) ?? named, currency });
    }
  }
  return undefined;
}

/** Returns the issue of a worksheet whose name has the code of another currency: `USD`, `Payroll USD`. */
export function worksheetIssue(name: string, currency: CurrencyCode): Issue | undefined {
  const words = name.toUpperCase().split(/[^\p{L}]+/u);
  const named = words.find((word) => COMMON.has(word));
  if (named === undefined || names(name, currency)) return undefined;
  return issue('PB-CURRENCY-HEADING', { value: `${name} (worksheet)` }, { named, currency });
}

const placeOf = (row: number, { address, text }: Cell) => ({ row, cell: address, value: text.trim() });

/**
 * Returns the first name of a currency, in capitals, that a cell says its amounts are in; `next` holds the value of a label.
 * `isCompared`: the line also names the currency of the batch, so that another one counts only if the amounts are said to be in it.
 */
function currencyStatedIn({ text }: Cell, next: Cell | undefined, isCompared: boolean): string | undefined {
  const said = text.slice(0, TEXT_MAX);
  const label = CURRENCY_LABEL.exec(said)?.[0];
  if (label !== undefined) return currencyAt(said.slice(label.length) || (next?.text ?? ''));
  for (const { index, 0: before } of said.matchAll(BEFORE_CURRENCY)) {
    const rest = said.slice(index + before.length);
    const named = currencyAt(rest);
    const ahead = said.slice(0, index);
    if (named === undefined) continue;
    if (STATED.test(ahead)) return named;
    if (isCompared || OF_OTHER_MONEY.test(ahead) || !isOfAmounts(named, ahead)) continue;
    if (AFTER_CURRENCY.test(rest.slice(rest.toUpperCase().indexOf(named) + named.length))) return named;
  }
  return undefined;
}

const isOfAmounts = (named: string, before: string): boolean =>
  currencyOf(named) === undefined || COMMON.has(named) || OF_AMOUNTS.test(before);

/** Reports whether a text names a currency in a word that is nothing else: `KES`, `Kshs`. */
const names = (text: string, currency: CurrencyCode): boolean =>
  text
    .slice(0, TEXT_MAX)
    .toUpperCase()
    .split(/[^\p{L}\p{Sc}]+/u)
    .some((word) => word.length > 2 && !COUNTRY.test(word) && soleNamesOf(currency).has(word));

/** A sign of one or two letters may as well be initials: `(K)`, `(MK)`. */
const NAME = /^(?:\p{L}{3,}|\p{L}*\p{Sc})$/u;

/** Codes of currencies that are words of a title in capitals. */
const WORDS: ReadonlySet<string> = new Set(['ALL', 'TOP']);

/** Returns the name of the currency with which a text begins, such as `USD`, `US Dollars` or `Kenya shillings`. */
function currencyAt(text: string): string | undefined {
  const [first = '', second = ''] = text.split(/[^\p{L}\p{Sc}]+/u).filter((word) => word !== '');
  if (COUNTRY.test(first)) return SHILLINGS.test(second) ? first.toUpperCase() : undefined;
  const words = [first, ...(/^US$/i.test(first) ? [second] : [])];
  return words.find((word) => NAME.test(word) && !WORDS.has(word) && isCurrencyName(word))?.toUpperCase();
}
