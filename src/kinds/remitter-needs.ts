/** What a way of paying has to be told of who pays. It stands in the configuration, and is told as part of it. */
import type { RemitterField } from '../domain/settings.ts';

/** Fields that a page of the provider lists as mandatory for one form of a kind. */
export interface AskedFields {
  /** Goes on after "for": `local transfers`. */
  readonly form: string;
  readonly fields: readonly RemitterField[];
}

export interface RemitterNeeds {
  /** Without these no row of the kind can be paid. */
  readonly always: readonly RemitterField[];
  /** A field that stands for a column of the kind where a row leaves that empty; `field` names the column in its kind. */
  readonly standIn?: { readonly remitter: RemitterField; readonly field: string };
  /** What is asked for on the pages of the provider, and not by every such service. */
  readonly published?: readonly AskedFields[];
}

/** The phone of the remitter, where a row gives none. */
export const phoneStandsIn: RemitterNeeds = { always: [], standIn: { remitter: 'phoneNumber', field: 'phone' } };

/** The fields of the remitter that a row needs. */
export const neededBy = (
  { always, standIn }: RemitterNeeds,
  row: Readonly<Record<string, unknown>>,
): readonly RemitterField[] => (standIn && row[standIn.field] === undefined ? [...always, standIn.remitter] : always);
