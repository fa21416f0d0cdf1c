/**
 * A mapping records once what the headings of a sheet mean, if aliases do not know them or know too many. It holds what was
 * decided and nothing else. A sheet that no longer fits its mapping is refused, never guessed at.
 */
import type { MappingRecord } from '../domain/batch.ts';
import { canonicalText } from '../domain/canonical.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { sha256 } from '../domain/ids.ts';
import { namesNetwork } from '../domain/network.ts';
import { columnDescriptions, headingsOfSeveral, numberColumns } from '../kinds/index.ts';
import { holdColumn } from '../kinds/left-out.ts';
import { withoutAnswers } from '../kinds/plain-text.ts';
import { folded, isOfNameParts, meaningOfParts, withoutNumber, withoutPayee } from './fold-heading.ts';
import { isAmountAlone } from './which-amount.ts';

/** The meaning that was decided for one heading. */
export interface MappedHeading {
  /** The heading as written when the mapping was learned; headings are compared folded. */
  readonly heading: string;
  /** Column id; `undefined` if the heading means nothing. */
  readonly means?: string;
}

export interface HeadingMapping {
  /** Name of the mapping, as the operator calls it. */
  readonly name: string;
  /** No two have the same folded heading. A name may be spread over several headings, in the order in which its parts are joined. */
  readonly headings: readonly MappedHeading[];
  /** The worksheet that the mapping was learned from, if the workbook has several. */
  readonly worksheet?: string;
}

/**
 * Returns a heading that makes a mapping contradict itself: it occurs twice, or is the second one for a column. Only a name
 * may be spread over several columns.
 */
export function repeatedHeading(headings: readonly MappedHeading[]): string | undefined {
  const seen = new Set<string>();
  return headings.find(({ heading, means }) => {
    const claims = [folded(heading), ...(means === undefined || means === 'name' ? [] : [`column ${means}`])];
    const repeated = claims.some((claim) => seen.has(claim));
    for (const claim of claims) seen.add(claim);
    return repeated;
  })?.heading;
}

/** Returns the name of the mapping that is used automatically for sheets with exactly these headings, in any order. */
export function nameForHeadings(headings: readonly string[]): string {
  const set = [...new Set(headings.map(folded))].filter((heading) => heading !== '').toSorted();
  return `headings-${sha256(JSON.stringify(set)).slice(0, SET_DIGITS)}`;
}

/** Long enough that no two sets of headings that people use get the same name. */
const SET_DIGITS = 16;

/**
 * Returns what the ledger keeps about a mapping. The hash covers the meanings only, not the name of the mapping or the
 * spelling of headings.
 */
export function mappingRecord({ name, headings }: HeadingMapping): MappingRecord {
  const byColumn = new Map<string, string[]>();
  for (const { heading, means = NOTHING } of headings) {
    byColumn.set(means, [...(byColumn.get(means) ?? []), folded(heading)]);
  }
  // The parts of a name have an order that matters; nothing else has.
  byColumn.get(NOTHING)?.sort();
  return { name, sha256: sha256(canonicalText(Object.fromEntries(byColumn))) };
}

/** Id of the amount column, the one column that several headings of a sheet may be. */
export const AMOUNT = 'amount';

/** Used instead of a column id: the heading means nothing. */
const NOTHING = '';

/** The meaning of one heading. */
export interface Meaning {
  /** Column id; null if it was decided that the heading means nothing. */
  readonly id: string | null;
  readonly by: 'alias' | 'mapping';
  /** Other columns that the heading means as well. */
  readonly also?: readonly string[];
  /** Whether the heading is not known as a whole: it counts if no other one of the sheet is known for the column. */
  readonly isInWords?: true;
}

/** The meanings of headings. */
export interface Meanings {
  meaningOf(heading: string): Meaning | undefined;
  /** Reports whether a column can still be found by its aliases: not if a mapping names headings for it. */
  isOpen(id: string): boolean;
}

const PHONE = 'phone';
const NAME = 'name';
const ACCOUNT = 'account_number';
/** Columns of numbers, in whose headings a word may say so. */
const NUMBERS: ReadonlySet<string> = new Set([PHONE, ...numberColumns]);
/** Columns whose headings may say that they are about whoever is paid. */
const OF_PAYEE: ReadonlySet<string> = new Set([...NUMBERS, NAME, 'bank_name']);

const amountOrNothing = (heading: string): string | undefined => (isAmountAlone(heading) ? AMOUNT : undefined);

/** Returns the meanings of headings by the columns' own ids, headings and aliases, and by a mapping, which wins. */
export function meaningsOf(columns: readonly ColumnDescription[], mapping?: HeadingMapping): Meanings {
  const aliases = new Map(
    columns.flatMap(({ id, heading, aliases: own }) =>
      [id, heading, ...own].map((text) => [folded(text), id] as const),
    ),
  );
  // `Hold (Y/N)` is the hold column too. Of no other column does a heading ask for a yes or a no.
  const holdAskedBy = (heading: string): string | undefined =>
    aliases.get(folded(withoutAnswers(heading))) === holdColumn.id ? holdColumn.id : undefined;
  /** `Beneficiary Account No` is an account, `Cell No` a cell phone, and `MTN MoMo Number` a phone. */
  const payeeBy = (heading: string): string | undefined => {
    const owned = withoutPayee(heading);
    const numbered = withoutNumber(owned);
    const isPhone = numbered !== owned && namesNetwork(numbered);
    const number = aliases.get(folded(numbered)) ?? aliases.get(folded(`${numbered}no`)) ?? (isPhone ? PHONE : '');
    const id = aliases.get(folded(owned)) ?? (isOfNameParts(owned) ? NAME : NUMBERS.has(number) ? number : '');
    // What does not say that it is a number may be the name of the account, so it is only suggested: `Beneficiary Account`.
    if (id === ACCOUNT && numbered === owned) return undefined;
    return OF_PAYEE.has(id) ? id : undefined;
  };
  const several = new Map(headingsOfSeveral.map(({ heading, columns: own }) => [folded(heading), own]));
  const mapped = new Map((mapping?.headings ?? []).map(({ heading, means }) => [folded(heading), means ?? null]));
  const taken = new Set(mapped.values());
  return {
    meaningOf(heading) {
      const key = folded(heading);
      const decided = mapped.get(key);
      if (decided !== undefined) return { id: decided, by: 'mapping' };
      // `Amount (UGX)` and `UGX` are the amount too, and `Pay #` is not. The column issues check that the currency is the
      // batch's own.
      const known = aliases.get(key) ?? holdAskedBy(heading);
      const id = known === undefined || known === AMOUNT ? amountOrNothing(heading) : known;
      if (id !== undefined && !taken.has(id)) return { id, by: 'alias' };
      const [first, ...also] = several.get(key)?.filter((column) => !taken.has(column)) ?? [];
      if (first !== undefined) return { id: first, by: 'alias', also };
      const said = payeeBy(heading) ?? meaningOfParts(heading, payeeBy);
      return said === undefined || taken.has(said) ? undefined : { id: said, by: 'alias', isInWords: true };
    },
    isOpen: (id) => !taken.has(id),
  };
}

/** What headings mean without a mapping. */
export const plainMeanings: Meanings = meaningsOf(columnDescriptions());
