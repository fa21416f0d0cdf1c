/** Which headings of a sheet are the amount: the rule over the table of amount headings. */
import { type AmountHeading, amountHeadings, amountWordings, currencyHeading } from '../kinds/amount.ts';
import { folded, meaningOfParts, wordsOf } from './fold-heading.ts';

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
 * Returns the meaning of an amount heading, with or without a currency (`Net Pay (KES)`, `KES`, `Salary ($)`); `undefined`
 * if the heading is not one. `Pay #` is the number of a payment, and `Pay?` asks whether there is one.
 */
export function amountHeadingOf(written: string): AmountHeading | undefined {
  if (/[#?]/.test(written.normalize('NFKD'))) return undefined;
  const heading = written.replace(OF_PIVOT_TABLE, '');
  const says = known.get(folded(heading));
  if (says) return says;
  const { rest = heading } = currencyHeading(heading) ?? {};
  if (folded(rest) === '') return rest === heading ? undefined : 'plain';
  return known.get(folded(rest)) ?? saidBy(rest) ?? meaningOfParts(rest, (part) => known.get(folded(part)));
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
  return says !== undefined && says !== 'total' && says !== 'balance' && says !== 'asked';
};

/** Returns the headings that may be the amount: one decides, and among several a person has to choose. */
export function amountsAmong<T extends { readonly text: string }>(headings: readonly T[]): readonly T[] {
  const found = headings.flatMap((heading) => {
    const says = amountHeadingOf(heading.text);
    return says === undefined ? [] : [{ heading, says }];
  });
  const of = (...said: readonly AmountHeading[]): readonly T[] =>
    found.filter(({ says }) => said.includes(says)).map(({ heading }) => heading);
  if (of('net').length > 0) return of('net', 'payable', 'asked');
  if (of('payable', 'plain', 'open').length === 0) return [];
  return of('payable', 'plain', 'open', 'total', 'asked', ...(of('plain').length > 0 ? [] : (['balance'] as const)));
}
