/** Which headings of a sheet are the amount: the rule over the table of amount headings. */
import { type AmountHeading, amountHeadings, amountWordings, currencyHeading } from '../kinds/amount.ts';
import { folded, meaningOfParts, withoutPeriod, wordsOf } from './fold-heading.ts';

const known: ReadonlyMap<string, AmountHeading> = new Map(
  (Object.keys(amountHeadings) as (keyof typeof amountHeadings)[]).flatMap(
    (
      says, // the keys of a constant
    ) => amountHeadings[says].map((heading) => [folded(heading), says] as const),
  ),
);

/** What a pivot table writes before the heading of the column that it adds up. */
const OF_PIVOT_TABLE = /^\s*(?:sum of|somme de) /i;

/**
 * Returns the meaning of an amount heading, with or without a currency (`Net Pay (KES)`, `KES`, `Salary ($)`) and a month or a
 * week (`Net Pay Nov 2026`); `undefined` if the heading is not one. `Pay #` is the number of a payment, and `Pay?` asks whether
 * there is one.
 */
export const amountHeadingOf = (written: string): AmountHeading | undefined => readingOf(written)?.says;

interface Reading {
  readonly says: AmountHeading;
  /** Whether the heading says so only without the month or the week that it names. */
  readonly isOfPeriod: boolean;
}

function readingOf(written: string): Reading | undefined {
  if (/[#?]/.test(written.normalize('NFKD'))) return undefined;
  const heading = written.replace(OF_PIVOT_TABLE, '');
  const { rest = heading } = currencyHeading(heading) ?? {};
  if (folded(rest) === '' && rest !== heading) return { says: 'plain', isOfPeriod: false };
  const says = known.get(folded(heading)) ?? known.get(folded(rest)) ?? saidBy(rest);
  if (says !== undefined && says !== 'total') return { says, isOfPeriod: false };
  const without = withoutPeriod(rest);
  const ofPeriod = without === undefined ? undefined : (known.get(folded(without)) ?? saidBy(without));
  if (ofPeriod !== undefined && isAmount(ofPeriod)) return { says: ofPeriod, isOfPeriod: true };
  const whole = says ?? meaningOfParts(rest, (part) => known.get(folded(part)));
  return whole && { says: whole, isOfPeriod: false };
}

/** A percentage is never an amount, even if its words say so. */
function saidBy(heading: string): AmountHeading | undefined {
  if (/[%‰]/u.test(heading)) return undefined;
  const words = wordsOf(heading);
  return amountWordings.find((wording) => wording.words.test(words))?.says;
}

/** Reports whether a heading is the amount if no other heading may be. */
export const isAmountAlone = (heading: string): boolean => {
  const says = amountHeadingOf(heading);
  return says !== undefined && isAmount(says);
};

const isAmount = (says: AmountHeading): boolean => says !== 'total' && says !== 'balance' && says !== 'asked';

/**
 * Returns the headings that may be the amount: one decides, and among several a person has to choose. `Net Pay October` next to
 * `Net Pay` is another month's, and next to `Amount` it is a reason to ask.
 */
export function amountsAmong<T extends { readonly text: string }>(headings: readonly T[]): readonly T[] {
  const read = headings.flatMap((heading) => {
    const reading = readingOf(heading.text);
    return reading ? [{ heading, ...reading }] : [];
  });
  const isLed = read.some(({ says, isOfPeriod }) => isAmount(says) && !isOfPeriod);
  const found = read.map((one) => (isLed && one.isOfPeriod ? { ...one, says: 'total' as const } : one));
  const of = (...said: readonly AmountHeading[]): readonly T[] =>
    found.filter(({ says }) => said.includes(says)).map(({ heading }) => heading);
  if (of('net').length > 0) return of('net', 'payable', 'asked');
  if (of('payable', 'plain', 'open').length === 0) return [];
  return of('payable', 'plain', 'open', 'total', 'asked', ...(of('plain').length > 0 ? [] : (['balance'] as const)));
}
