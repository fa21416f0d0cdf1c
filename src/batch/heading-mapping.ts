/**
 * A mapping says once what the headings of a sheet mean, where aliases do not know them or know too many. It holds what
 * was decided and nothing else; a sheet that no longer fits it is refused, never guessed at.
 */
import type { MappingRecord } from '../domain/batch.ts';
import { canonicalText } from '../domain/canonical.ts';
import type { ColumnDescription } from '../domain/column.ts';
import { sha256 } from '../domain/ids.ts';
import { headingsOfSeveral } from '../kinds/index.ts';
import { folded } from './fold-heading.ts';
import { isAmountAlone } from './which-amount.ts';

/** What one heading was decided to mean. */
export interface MappedHeading {
  /** As it was written when the mapping was learned; compared folded. */
  readonly heading: string;
  /** Column id; undefined: it means nothing. */
  readonly means?: string;
}

export interface HeadingMapping {
  /** As the operator calls it. */
  readonly name: string;
  /** No two with the same folded heading. A name may stand in several, in the order in which its parts are joined. */
  readonly headings: readonly MappedHeading[];
  /** The worksheet that it was learned on, where a workbook has several. */
  readonly worksheet?: string;
}

/**
 * A heading that makes a mapping say two things: it stands there twice, or is the second one for a column. Only a name
 * may stand in several columns.
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

/** What a mapping is called that is used by itself for sheets with exactly these headings, in whatever order they stand. */
export function nameForHeadings(headings: readonly string[]): string {
  const set = [...new Set(headings.map(folded))].filter((heading) => heading !== '').toSorted();
  return `headings-${sha256(JSON.stringify(set)).slice(0, SET_DIGITS)}`;
}

/** Enough that no two sets of headings that people have are called alike. */
const SET_DIGITS = 16;

/** What the ledger keeps of a mapping. The hash is of what it means, whatever it is called and however it is written. */
export function mappingRecord({ name, headings }: HeadingMapping): MappingRecord {
  const byColumn = new Map<string, string[]>();
  for (const { heading, means = NOTHING } of headings) {
    byColumn.set(means, [...(byColumn.get(means) ?? []), folded(heading)]);
  }
  // The parts of a name have an order that means something; nothing else has.
  byColumn.get(NOTHING)?.sort();
  return { name, sha256: sha256(canonicalText(Object.fromEntries(byColumn))) };
}

/** The column that several headings of one sheet may be. */
export const AMOUNT = 'amount';

/** In the place of a column id: the heading means nothing. */
const NOTHING = '';

/** What one heading means. */
export interface Meaning {
  /** Column id; null: it was decided to mean nothing. */
  readonly id: string | null;
  readonly by: 'alias' | 'mapping';
  /** Other columns that the heading stands for as well. */
  readonly also?: readonly string[];
}

/** What headings mean; undefined is a heading that nobody knows. */
export interface Meanings {
  meaningOf(heading: string): Meaning | undefined;
  /** Whether a column may still be found by its aliases: not one whose headings a mapping names. */
  isOpen(id: string): boolean;
}

/** What headings mean by the columns' own ids, headings and aliases, and by a mapping, which wins. */
export function meaningsOf(columns: readonly ColumnDescription[], mapping?: HeadingMapping): Meanings {
  const aliases = new Map(
    columns.flatMap(({ id, heading, aliases: own }) =>
      [id, heading, ...own].map((text) => [folded(text), id] as const),
    ),
  );
  const several = new Map(headingsOfSeveral.map(({ heading, columns: own }) => [folded(heading), own]));
  const mapped = new Map((mapping?.headings ?? []).map(({ heading, means }) => [folded(heading), means ?? null]));
  const taken = new Set(mapped.values());
  return {
    meaningOf(heading) {
      const key = folded(heading);
      const decided = mapped.get(key);
      if (decided !== undefined) return { id: decided, by: 'mapping' };
      // `Amount (UGX)` and `UGX` are the amount too; that the currency is the batch's own is held in the column issues.
      const id = aliases.get(key) ?? (isAmountAlone(heading) ? AMOUNT : undefined);
      if (id !== undefined && !taken.has(id)) return { id, by: 'alias' };
      const [first, ...also] = several.get(key)?.filter((column) => !taken.has(column)) ?? [];
      return first === undefined ? undefined : { id: first, by: 'alias', also };
    },
    isOpen: (id) => !taken.has(id),
  };
}
