/**
 * A kind is one way of paying, and its file is all that is known about it: its columns, its rules, what it submits, the words
 * people use for it, and good and bad sample rows. `defineKind` seals the kind's own fields behind `read`, so that no code
 * outside knows them.
 */

import type { KindName, Payout } from '../domain/batch.ts';
import type { Issue } from '../domain/issue.ts';
import { longestOfRow } from '../domain/lengths.ts';
import type { RemitterField } from '../domain/settings.ts';
import type { SubmissionName } from '../domain/submission.ts';
import type { Draft } from '../service/submissions/index.ts';
import { type CellView, type Column, issueAt, type ReadContext } from './column.ts';
import type { shared } from './columns.ts';
import { draftOf, type OwnParts } from './draft.ts';
import { withoutPlaceholders } from './no-value.ts';
import { readOrRepair } from './repair.ts';

type Columns = Readonly<Record<string, Column<unknown>>>;
type FieldsOf<C extends Columns> = { readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never };

/** What a kind makes of a row: the destination for people, and its own part of what is submitted. */
type Payment<S extends SubmissionName> = OwnParts[S] & {
  /** Destination for people: `+254712345678`. */
  readonly destination: string;
  /** Destination in normalised form, part of the row's identity; the kind's name is put before it. */
  readonly payee: string;
  readonly network?: string;
};

/** A sample row: cell texts by column id, and for a bad row the code of its issue. */
interface GoodExample {
  readonly about: string;
  readonly cells: Readonly<Record<string, string>>;
}

interface BadExample extends GoodExample {
  readonly code: Issue['code'];
}

/** What a kind says of itself to everybody. */
interface KindFacts {
  readonly title: string;
  /** One sentence for the instructions. */
  readonly summary: string;
  /** Words for the kind in the type column, in addition to its name and title. */
  readonly words: readonly string[];
  /** Column whose presence shows that a row without a type is of this kind; absent if only the type shows it. */
  readonly mark?: string;
  /** Matches the words of a title that calls a list by this kind, if only the type shows it. */
  readonly titleWords?: RegExp;
  /** Column that marks another kind, but is only a contact next to this kind's own mark. */
  readonly contact?: string;
  /**
   * Set if the institution that pays out compares the name with that of the holder, so that the destination cannot be used
   * as the name, and the sheet must have a column of names.
   */
  readonly needsName?: true;
  /**
   * Set if the account is one at a business. It is not a person's own, so next to a person's phone it shows that this
   * kind is meant.
   */
  readonly businessAccount?: true;
  /** Channel type that the specification fixes for this kind, or that has been observed for it; the route decides. */
  readonly channelType: number;
  /** What the kind must know about the payer; absent if nothing. */
  readonly remitter?: RemitterNeeds;
  readonly examples: { readonly good: readonly GoodExample[]; readonly bad: readonly BadExample[] };
}

interface KindDefinition<C extends typeof shared, S extends SubmissionName> extends KindFacts {
  readonly name: string;
  /** Section of the specification. */
  readonly spec: string;
  /** How money of this kind is submitted. */
  readonly submission: S;
  readonly columns: C;
  /** Returns the issues that only show when several fields are seen together. */
  check?(fields: FieldsOf<C>, view: (column: keyof C & string) => CellView, context: ReadContext): readonly Issue[];
  pay(fields: FieldsOf<C>, context: ReadContext): Payment<S>;
}

/** A row as a kind sees it: returns the cell of a column, by column id. */
export type RowView = (column: string) => CellView;

export interface ReadRow {
  readonly issues: readonly Issue[];
  /** Present if the row has no error. It has no draft if the row needs settings that are missing, and in a check without a run. */
  readonly payable?: { readonly payout: Payout; readonly draft?: Draft };
  /** Fields of the remitter that the row needs and no setting provides. */
  readonly lacks: readonly RemitterField[];
}

/** A kind as the rest of the program sees it. */
export interface Kind extends KindFacts {
  readonly name: KindName;
  readonly submission: SubmissionName;
  readonly columns: readonly Column<unknown>[];
  /** Ids of the columns without which no row of a sheet can be paid in this way. */
  readonly needs: readonly string[];
  read: RowReader;
  /**
   * Returns a reader for the rows of a sheet; `has` reports which columns the sheet has. Absent columns are dealt with once
   * here, not in each row.
   */
  readerFor(has: (column: string) => boolean): RowReader;
}

export type RowReader = (view: RowView, context: ReadContext) => ReadRow;

export function defineKind<C extends typeof shared & Columns, S extends SubmissionName>(
  definition: KindDefinition<C, S>,
): Kind {
  const fieldsOfColumns = Object.entries<Column<unknown>>(definition.columns).map(
    ([field, column]): FieldOfColumn => [field, withoutPlaceholders(column)],
  );
  const columns = fieldsOfColumns.map(([, column]) => column);
  const name = definition.name as KindName; // only this folder may make the brand
  const needs = fieldsOfColumns.flatMap(([field, { id, required }]) =>
    required && !mayLack(field, definition) ? [id] : [],
  );
  return {
    ...definition,
    name,
    columns,
    needs,
    read: rowReader(name, definition, fieldsOfColumns),
    readerFor: (has) =>
      // An optional column that the sheet does not have leaves its field undefined.
      rowReader(
        name,
        definition,
        fieldsOfColumns.filter(([, { id }]) => has(id) || needs.includes(id)),
      ),
  };
}

/** Reports whether a sheet may lack the column of a field: that of names, which then no row has. */
const mayLack = (field: string, { needsName }: KindFacts): boolean =>
  field === ('name' satisfies keyof typeof shared) && !needsName;

type FieldOfColumn = readonly [field: string, column: Column<unknown>];

const nothingLacks: readonly RemitterField[] = [];

function rowReader<C extends typeof shared & Columns, S extends SubmissionName>(
  name: KindName,
  definition: KindDefinition<C, S>,
  columns: readonly FieldOfColumn[],
): RowReader {
  const { remitter, submission } = definition;
  return (view, context) => {
    const { fields, issues } = readFields<C>(columns, view, context);
    if (!fields) return { issues, lacks: nothingLacks };
    const byField = (column: keyof C & string): CellView => view(definition.columns[column]?.id ?? column);
    if (definition.check) issues.push(...definition.check(fields, byField, context));
    if (issues.some(({ level }) => level === 'error')) return { issues, lacks: nothingLacks };
    const lacks = remitter ? neededBy(remitter, fields).filter((field) => !context.remitter?.[field]) : nothingLacks;
    const payment = definition.pay(fields, context);
    // The shared columns are part of every kind's own; their types are those of `shared`.
    const given = fields as Omit<FieldsOf<typeof shared>, 'name'> & { readonly name?: string };
    const own = { ...given, name: given.name ?? payment.destination };
    if (own.name.length > longestOfRow.name) {
      return { issues: [...issues, issueAt(byField('name'), 'PB-NAME-MISSING')], lacks: nothingLacks };
    }
    const payout = payoutOf(name, payment, own);
    if (lacks.length > 0 || context.isCheck) return { issues, lacks, payable: { payout } };
    return { issues, lacks, payable: { payout, draft: draftOf(submission, payment, own, context) } };
  };
}

function readFields<C extends Columns>(
  columns: readonly FieldOfColumn[],
  view: RowView,
  context: ReadContext,
): { fields?: FieldsOf<C>; issues: Issue[] } {
  const issues: Issue[] = [];
  const fields: Record<string, unknown> = {};
  let complete = true;
  for (const [field, column] of columns) {
    const cell = view(column.id);
    const reading = readOrRepair(column, cell, context);
    const isComputed = column.decides === 'payment' && cell.cell?.formula === 'cached';
    if (isComputed && reading.ok) issues.push(issueAt(cell, 'PB-FORMULA-CACHED', { count: 1 }));
    if (reading.ok) {
      fields[field] = reading.value;
      if (reading.warnings) issues.push(...reading.warnings);
    } else {
      complete = false;
      issues.push(reading.issue);
    }
  }
  // Every column of the sheet was read, so the record holds a value of each column's own type.
  return complete ? { fields: fields as FieldsOf<C>, issues } : { issues };
}

const payoutOf = (
  kind: KindName,
  { destination, payee, network }: Payment<SubmissionName>,
  { reference, name, amount, note }: FieldsOf<typeof shared>,
): Payout => ({
  kind,
  ...(reference !== undefined && { reference }),
  name,
  destination,
  payee: `${kind}|${payee}`,
  ...(network !== undefined && { network }),
  amount,
  ...(note && { note }),
});

/** Fields that a page of the provider lists as mandatory for one form of a kind. */
interface AskedFields {
  /** The words after "for": `local transfers`. */
  readonly form: string;
  readonly fields: readonly RemitterField[];
}

/** What a way of paying must know about the payer. It comes from the configuration, so missing fields are reported as missing there. */
interface RemitterNeeds {
  /** Fields without which no row of the kind can be paid. */
  readonly always: readonly RemitterField[];
  /** A field that replaces a column of the kind in rows that leave the column empty; `field` names the column within the kind. */
  readonly standIn?: { readonly remitter: RemitterField; readonly field: string };
  /** Fields that the provider's pages ask for, but not every such service. */
  readonly published?: readonly AskedFields[];
}

/** The phone of the remitter replaces that of a row without one. */
export const phoneStandsIn: RemitterNeeds = { always: [], standIn: { remitter: 'phoneNumber', field: 'phone' } };

/** Returns the fields of the remitter that a row needs. */
const neededBy = (
  { always, standIn }: RemitterNeeds,
  row: Readonly<Record<string, unknown>>,
): readonly RemitterField[] => (standIn && row[standIn.field] === undefined ? [...always, standIn.remitter] : always);
