/**
 * Checks of sheets, as `paybatch validate` makes them, cached while a sheet does not change; and the cells of a sheet for the
 * grid.
 */

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { FoundHeading, Question } from '../batch/heading-question.ts';
import type { Cell } from '../domain/cell.ts';
import type { Emit } from '../domain/event.ts';
import { caughtFault, Fault } from '../domain/fault.ts';
import { present } from '../domain/present.ts';
import { endedBy, type RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import { sheetValueOf, sheetValueText } from '../domain/sheet-value.ts';
import { typedPath } from '../domain/typed-path.ts';
import { emitEarlier } from '../preflight/duplicates/emit-earlier.ts';
import { type CheckRecord, CheckRecorder } from '../results/check-record.ts';
import { type CheckRequest, validateSheet } from '../run/validate.ts';
import { openSheet, type SheetOptions } from '../sheet/open-sheet.ts';
import type { ChosenSheet } from './sheet-files.ts';
import type { ConsoleWorld } from './world.ts';

/** Most checks that are cached: enough to switch between a few sheets. */
const KEPT_MAX = 4;

/** A worksheet that holds data, with its first values, by which a person recognises it. */
export interface FoundWorksheet {
  readonly name: string;
  readonly samples: readonly string[];
}

/** Most values shown of a worksheet: enough for a title, the headings, and the first row below them. */
const WORKSHEET_SAMPLES_MAX = 10;

export interface Check {
  readonly record: CheckRecord;
  readonly end: RunEnd;
  /** The worksheets that hold data, if a person has to choose one of them. */
  readonly worksheets?: readonly FoundWorksheet[] | undefined;
  /** The question which heading is meant, if a person has to answer it. */
  readonly question?: Question | undefined;
}

/** The options for reading a sheet before anything is known about it. */
const readingOf = ({ worksheet, path: named }: ChosenSheet): SheetOptions =>
  present({ worksheet, typed: named === undefined ? undefined : `paybatch validate ${typedPath(named)}` });

/**
 * The request for checking or pricing this sheet. It writes no marked copy, because the page offers that as a download. Commands in
 * messages say SHEET for a sheet that only the console has.
 */
export const requestOf = (sheet: ChosenSheet, { decisions }: Pick<ConsoleWorld, 'decisions'>): CheckRequest => ({
  sheet: sheet.file,
  typed: sheet.path ?? 'SHEET',
  reading: readingOf(sheet),
  decisions,
  allowIdentical: 0,
  copy: false,
});

/** A stamp that changes whenever the file may have changed. */
export async function stampOf({ file }: Pick<ChosenSheet, 'file'>): Promise<string> {
  const { size, mtimeMs, ino } = (await stat(file).catch(() => undefined)) ?? {};
  return [size, mtimeMs, ino].join('.');
}

export class Checks {
  readonly #world: ConsoleWorld;
  readonly #kept = new Map<string, Promise<Check>>();

  constructor(world: ConsoleWorld) {
    this.#world = world;
  }

  /**
   * Returns the check of a sheet, from the cache if neither the file nor the settings changed. `anew`: checks it again in any
   * case.
   */
  async of(sheet: ChosenSheet, { anew = false } = {}): Promise<Check> {
    const settings = this.#world.settings();
    const key = JSON.stringify([sheet.file, sheet.worksheet, await stampOf(sheet), settings]);
    const kept = anew ? undefined : this.#kept.get(key);
    const check = kept ?? this.#check(sheet, settings);
    this.#kept.delete(key);
    this.#kept.set(key, check);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT_MAX && oldest !== undefined) this.#kept.delete(oldest);
    // A failed check is not cached.
    check.catch(() => this.#kept.delete(key));
    return check;
  }

  /** Answers which heading is meant, and remembers the answer for sheets with the same headings. */
  async answer(sheet: ChosenSheet, address: string): Promise<void> {
    const { decisions } = this.#world;
    let isAnswered = false;
    const choose = async ({ choices }: Question): Promise<FoundHeading | undefined> => {
      const chosen = choices.find((choice) => choice.address === address);
      isAnswered = chosen !== undefined;
      return chosen;
    };
    const request = { ...requestOf(sheet, this.#world), decisions: { ...decisions, choose } };
    await validateSheet(request, { settings: this.#world.settings(), emit: () => undefined });
    if (!isAnswered)
      throw new Fault('usage', 'None of the headings was chosen.', 'Choose the column that holds the net pay.');
    this.#kept.clear();
  }

  async #check(sheet: ChosenSheet, settings: Settings): Promise<Check> {
    const recorder = new CheckRecorder();
    const emit: Emit = (event) => recorder.hear(event);
    const { profile, sandbox } = settings;
    emit({ type: 'start', command: 'validate', version: this.#world.version, profile, sandbox });
    let names: readonly string[] = [];
    let question: Question | undefined;
    const request = requestOf(sheet, this.#world);
    const asking: CheckRequest = {
      ...request,
      reading: {
        ...request.reading,
        async chooseWorksheet(found) {
          names = found;
          return undefined;
        },
      },
      decisions: {
        ...this.#world.decisions,
        async choose(asked) {
          question = asked;
          return undefined;
        },
      },
    };
    const end = await validateSheet(asking, { settings, emit }, (rows) =>
      emitEarlier({ ...rows, file: path.basename(sheet.file) }, { settings, emit }, () => this.#world.records(emit)),
    ).catch((error: unknown) => endedBy(caughtFault(error)));
    const worksheets: FoundWorksheet[] = [];
    for (const name of names) worksheets.push({ name, samples: await firstValues(sheet, name) });
    return { record: recorder.record(), end, worksheets: worksheets.length > 0 ? worksheets : undefined, question };
  }
}

/** Returns the first values of a worksheet; empty if it cannot be read, which the check reports once the worksheet is chosen. */
async function firstValues(sheet: ChosenSheet, worksheet: string): Promise<readonly string[]> {
  try {
    await using opened = await openSheet(sheet.file, { ...readingOf(sheet), worksheet });
    for await (const block of opened.rows()) {
      const texts = block.flatMap(({ cells }) => cells.map(cellText)).filter((text) => text.trim() !== '');
      if (texts.length > 0) return texts.slice(0, WORKSHEET_SAMPLES_MAX);
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
  return [];
}

/** Which rows of a sheet to return. */
export interface GridWish {
  /** Page number, from 1. */
  readonly page: number;
  /** Text that one of the row's cells must contain, ignoring case; empty for every row. */
  readonly search: string;
  /** Numbers of the rows to return; `undefined` for all rows. */
  readonly only?: ReadonlySet<number> | undefined;
}

export interface Grid {
  readonly rows: readonly { readonly number: number; readonly cells: readonly Cell[] }[];
  /** Number of all rows that match, on every page. */
  readonly count: number;
}

/** Rows on one page of the grid. */
export const GRID_ROWS = 200;

/** The text of a cell, for people. */
export const cellText = (cell: Cell | undefined): string => sheetValueText(sheetValueOf(cell));

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Reads one page of the rows below the headings from the sheet itself. */
export async function gridOf(
  sheet: ChosenSheet,
  headerRow: number,
  wish: GridWish,
  rowsMost: number | undefined,
): Promise<Grid> {
  const { page, only } = wish;
  const search = folded(wish.search.trim());
  await using opened = await openSheet(sheet.file, {
    ...readingOf(sheet),
    ...present({ limits: rowsMost === undefined ? undefined : { rows: rowsMost } }),
  });
  const rows: { number: number; cells: readonly Cell[] }[] = [];
  let count = 0;
  for await (const block of opened.rows()) {
    for (const { number, cells } of block) {
      if (number <= headerRow || (only && !only.has(number))) continue;
      if (search !== '' && !cells.some((cell) => folded(cellText(cell)).includes(search))) continue;
      count += 1;
      if (count > (page - 1) * GRID_ROWS && count <= page * GRID_ROWS) rows.push({ number, cells });
    }
  }
  return { rows, count };
}
