/** Which headings of a sheet are the amount: the rule over the table of amount headings. */
import { type AmountHeading, amountHeadings, amountWordings, currencyHeading } from '../kinds/amount.ts';
import { folded, meaningOfParts, periodIn, wordsOf } from './fold-heading.ts';

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
 * week (`Net Pay Nov 2026`); `undefined` if the heading is not one. `Pay #` is the number of a payment, `Pay?` asks whether
 * there is one, and a percentage is never an amount.
 */
export const amountHeadingOf = (written: string): AmountHeading | undefined => readingOf(written)?.says;

interface Reading {
  readonly says: AmountHeading;
  /** The month or the week without which the heading would say so, as the heading writes it. */
  readonly period?: string;
}

function readingOf(written: string): Reading | undefined {
  if (/[#?%‰]/u.test(written.normalize('NFKD'))) return undefined;
  const heading = written.replace(OF_PIVOT_TABLE, '');
  const { rest = heading } = currencyHeading(heading) ?? {};
  if (folded(rest) === '' && rest !== heading) return { says: 'plain' };
  const says = known.get(folded(heading)) ?? known.get(folded(rest)) ?? saidBy(rest);
  if (says !== undefined && says !== 'total') return { says };
  const dated = periodIn(rest);
  const without = dated && (known.get(folded(dated.rest)) ?? saidBy(dated.rest));
  if (dated && without && isAmount(without)) return { says: without, period: dated.period };
  const whole = says ?? meaningOfParts(rest, (part) => known.get(folded(part)));
  return whole && { says: whole };
}

function saidBy(heading: string): AmountHeading | undefined {
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
 * Returns the headings that may be the amount: one decides, and among several a person has to choose. Headings of several
 * months are asked about. `Net Pay October` next to `Net Pay` is another month's, and next to `Amount` a reason to ask.
 */
export function amountsAmong<T extends { readonly text: string }>(headings: readonly T[]): readonly T[] {
  const read = headings.flatMap((heading) => {
    const reading = readingOf(heading.text);
    return reading ? [{ heading, ...reading }] : [];
  });
  const dated = read.filter(({ period }) => period !== undefined);
  const isLed = read.some(({ says, period }) => isAmount(says) && period === undefined);
  if (!isLed && new Set(dated.map(({ period }) => period)).size > 1) return dated.map(({ heading }) => heading);
  const besideLed = (says: AmountHeading): AmountHeading => (says === 'payable' ? 'asked' : 'total');
  const found = isLed
    ? read.map((one) => (one.period === undefined ? one : { ...one, says: besideLed(one.says) }))
    : read;
  const of = (...said: readonly AmountHeading[]): readonly T[] =>
    found.filter(({ says }) => said.includes(says)).map(({ heading }) => heading);
  if (of('net').length > 0) return of('net', 'payable', 'asked');
  if (of('payable', 'plain', 'open').length === 0) return [];
  return of('payable', 'plain', 'open', 'total', 'asked', ...(of('plain').length > 0 ? [] : (['balance'] as const)));
}
