/**
 * Leaving rows out on the page Check, and undoing it. A hold is written into a copy of the sheet, in the column in which the
 * owner of the sheet would write it; the sheet itself does not change.
 */

import { nameForHeadings } from '../batch/heading-mapping.ts';
import { Turns } from '../database/database.ts';
import { Fault } from '../domain/fault.ts';
import { shown } from '../domain/shown-text.ts';
import { type Html, html, htmlTable, isolated, none } from '../html/html.ts';
import { holdColumn, isHoldReason, REASON_CHARACTERS_MAX } from '../kinds/left-out.ts';
import type { CheckRecord } from '../results/check-record.ts';
import { writeHeldCopy } from '../run/validate.ts';
import { formField } from './act-form.ts';
import { type Checks, requestOf, stampOf } from './checks.ts';
import { addressOf, hiddenFields, ownForm, type Site, wide } from './frame.ts';
import { type Routes, rowNumbersIn } from './routes.ts';
import { StalePage } from './seen.ts';
import { type ChosenSheet, keepCopy, namedSheet } from './sheet-files.ts';
import type { ConsoleWorld } from './world.ts';

/** Id of the form to which the check boxes in the grid belong. */
const FORM = 'leave-out';

/** Writes holds into copies of sheets, one at a time, so that two clicks at the same time are both kept. */
export class LeaveOut {
  readonly #world: ConsoleWorld;
  readonly #checks: Checks;
  readonly #turns = new Turns();
  /**
   * The copies that were made here, each with the rows that were left out on a page. Only these rows can be released; a hold in
   * the sheet itself cannot.
   */
  readonly #held = new Map<string, ReadonlySet<number>>();

  constructor(world: ConsoleWorld, checks: Checks) {
    this.#world = world;
    this.#checks = checks;
  }

  /** Rows of the sheet that were left out on a page. */
  #heldIn({ query }: Pick<ChosenSheet, 'query'>): ReadonlySet<number> {
    return this.#held.get(query['upload'] ?? '') ?? new Set();
  }

  /** What the page Check shows about rows that were left out. */
  async partsOf(sheet: ChosenSheet): Promise<LeaveOutParts> {
    return { held: this.#heldIn(sheet), seen: await stampOf(sheet) };
  }

  /** Leaves rows out and returns the id of the copy. Throws a Fault if the sheet has changed since the page was made. */
  leave(sheet: ChosenSheet, given: { readonly rows: readonly number[]; readonly reason: string }, seen: string) {
    return this.#turns.take(async () => {
      await requireSame(sheet, seen);
      const reason = holdReason(given.reason);
      const { record } = await this.#checks.of(sheet);
      const rows = rowsToHold(given.rows, record);
      return this.#changed(sheet, record, new Map(rows.map((row) => [row, reason])));
    });
  }

  /** Undoes leaving a row out and returns the id of the copy. */
  release(sheet: ChosenSheet, given: string, seen: string): Promise<string> {
    return this.#turns.take(async () => {
      await requireSame(sheet, seen);
      const row = Number(given);
      if (!this.#heldIn(sheet).has(row))
        throw new Fault(
          'usage',
          `Row ${shown(given)} was not left out on a page of this console. Nothing was changed.`,
          'A hold that is written in the sheet itself is removed there.',
        );
      return this.#changed(sheet, (await this.#checks.of(sheet)).record, new Map([[row, '']]));
    });
  }

  async #changed(sheet: ChosenSheet, { columns }: CheckRecord, reasons: ReadonlyMap<number, string>): Promise<string> {
    const { decisions, settings } = this.#world;
    const { headerRow = 0, headings = [] } = columns ?? {};
    const column = headings.find(({ means }) => means === holdColumn.id)?.column;
    const { copy: _, ...request } = requestOf(sheet, this.#world);
    const upload = await keepCopy(
      (folder) =>
        writeHeldCopy(
          request,
          { holds: { headerRow, column, reasons }, folder },
          { settings: settings(), emit: () => undefined },
        ),
      this.#world,
      // A copy that was made here is replaced; a dropped sheet stays as it was dropped.
      [...this.#held.keys()].find((one) => one === sheet.query['upload']),
    );
    const held = new Set(this.#heldIn(sheet));
    for (const [row, reason] of reasons) reason === '' ? held.delete(row) : held.add(row);
    this.#held.set(upload, held);
    // The added heading makes another set of headings, so an earlier answer about the others has to be kept for it as well.
    const texts = headings.map(({ text }) => text);
    const decided = column === undefined ? decisions.keptFor(texts) : undefined;
    if (decided) await decisions.keep({ ...decided, name: nameForHeadings([...texts, holdColumn.heading]) });
    return upload;
  }
}

async function requireSame(sheet: ChosenSheet, seen: string): Promise<void> {
  if ((await stampOf(sheet)) !== seen) throw new StalePage(['The sheet was changed.'], []);
}

function holdReason(given: string): string {
  const text = shown(given.trim());
  if (isHoldReason(text) && text.length <= REASON_CHARACTERS_MAX) return text;
  throw new Fault(
    'usage',
    text === ''
      ? 'No reason was given. No row was left out.'
      : `"${text}" is not a reason for a hold. No row was left out.`,
    `Say in words why these rows are not paid now, in at most ${REASON_CHARACTERS_MAX} characters. The results show the reason.`,
  );
}

function rowsToHold(rows: readonly number[], { leftOut }: CheckRecord): readonly number[] {
  if (rows.length === 0)
    throw new Fault('usage', 'No row was ticked. No row was left out.', 'Tick the rows that are not to be paid.');
  const before = rows.find((row) => leftOut.some((one) => one.row === row));
  if (before === undefined) return rows;
  throw new Fault('usage', `Row ${before} is left out already. No row was left out.`, 'Tick other rows.');
}

/** What the page Check shows about rows that were left out. */
export interface LeaveOutParts {
  readonly held: ReadonlySet<number>;
  /** The stamp of the file when the page was made. */
  readonly seen: string;
}

/** Adds the routes that leave rows out and undo it. */
export function leaveOutRoutes(routes: Routes, leaveOut: LeaveOut): void {
  const { world } = routes;
  routes.form('/check/leave-out', async (ask, texts) => {
    const { reason = '', seen = '' } = texts;
    const upload = await leaveOut.leave(
      await namedSheet(texts, world),
      { rows: rowNumbersIn(texts['row']), reason },
      seen,
    );
    return routes.leadTo(ask, 'check', { upload });
  });
  routes.form('/check/release', async (ask, texts) => {
    const upload = await leaveOut.release(await namedSheet(texts, world), texts['row'] ?? '', texts['seen'] ?? '');
    return routes.leadTo(ask, 'check', { upload });
  });
}

/** The form above the grid that asks why the ticked rows are left out. */
export const leaveOutForm = (site: Site, { query }: ChosenSheet, { seen }: LeaveOutParts): Html =>
  html`<details><summary>Leave rows out</summary><form id="${FORM}" method="post" action="${addressOf(site, 'check/leave-out')}">${ownForm(site)}${hiddenFields({ ...query, seen })}<p>Tick the rows below, and say why they are not paid now. Your file does not change: the rows are put on hold in a copy, and that copy is checked and paid.</p>
${formField(FORM, { name: 'reason', label: 'Reason', most: REASON_CHARACTERS_MAX })}<p class="actions"><button>Leave the ticked rows out</button></p></form></details>`;

/** The check box of a row in the grid. */
export const leaveOutTick = (row: number): Html =>
  html`<input type="checkbox" form="${FORM}" name="row" value="${row}" aria-label="Leave out row ${row}">`;

/** The rows that were left out on a page, each with a button that undoes it. */
export function heldTable(site: Site, { query }: ChosenSheet, { leftOut }: CheckRecord, parts: LeaveOutParts): Html {
  const { held, seen } = parts;
  const rows = leftOut
    .filter(({ row }) => held.has(row))
    .map(({ row, name, reason }) => [
      `row ${row}`,
      isolated(name),
      isolated(reason),
      html`<form method="post" action="${addressOf(site, 'check/release')}">${ownForm(site)}${hiddenFields({ ...query, seen, row: String(row) })}<button class="plain" aria-label="Undo: pay row ${row}">Undo</button></form>`,
    ]);
  if (rows.length === 0) return none;
  return html`<section>${wide('Left out by you', htmlTable({ caption: 'Left out by you, only in this copy', columns: ['Row', 'Name', 'Reason', 'Take it back'], rows }))}</section>`;
}
