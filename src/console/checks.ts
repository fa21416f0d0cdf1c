/** Checks of sheets: what `paybatch validate` finds, kept as long as the sheet is the same, and the sheet's own cells beside it. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { FoundHeading, Question } from '../batch/heading-question.ts';
import { type Cell, cellIn } from '../domain/cell.ts';
import type { Tell } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import { endedBy, type RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import { sheetValueOf, sheetValueText } from '../domain/sheet-value.ts';
import { tellEarlier } from '../preflight/duplicates/tell-earlier.ts';
import { type CheckRecord, CheckRecorder } from '../results/check-record.ts';
import { type CheckRequest, validateSheet } from '../run/validate.ts';
import { openSheet, type SheetOptions } from '../sheet/open-sheet.ts';
import type { ChosenSheet } from './choose-sheet.ts';
import type { ConsoleWorld } from './world.ts';

/** Checks that are kept: of the sheets that somebody goes to and fro between. */
const KEPT_MAX = 4;

/** A worksheet that holds data, with its first values, by which a person recognises it. */
export interface FoundWorksheet {
  readonly name: string;
  readonly samples: readonly string[];
}

/** Values shown of a worksheet: enough for a title, the headings and a name below them. */
const WORKSHEET_SAMPLES_MAX = 10;

export interface Check {
  readonly record: CheckRecord;
  readonly end: RunEnd;
  /** Worksheets that hold data, where one of them has to be named. */
  readonly worksheets?: readonly FoundWorksheet[];
  /** Which of the headings is meant, where a person has to say it. */
  readonly question?: Question;
}

/** What a sheet is read with, before anything is known of it. */
const readingOf = ({ worksheet, typed }: ChosenSheet): SheetOptions => ({
  ...(worksheet !== undefined && { worksheet }),
  typed: `paybatch validate ${typed}`,
});

/** What is asked of a check, and of a statement, for this sheet. No copy is made: who wants it downloads it. */
export const requestOf = (sheet: ChosenSheet, { decisions }: Pick<ConsoleWorld, 'decisions'>): CheckRequest => ({
  sheet: sheet.file,
  typed: sheet.typed,
  reading: readingOf(sheet),
  decisions,
  allowIdentical: 0,
  copy: false,
});

/** What is another one when the file is. */
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

  /** The check of a sheet as it is now. `anew`: also where nothing that it depends on seems to have changed. */
  async of(sheet: ChosenSheet, { anew = false } = {}): Promise<Check> {
    const settings = this.#world.settings();
    const key = JSON.stringify([sheet.file, sheet.worksheet, await stampOf(sheet), settings]);
    const kept = anew ? undefined : this.#kept.get(key);
    const check = kept ?? this.#check(sheet, settings);
    this.#kept.delete(key);
    this.#kept.set(key, check);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT_MAX && oldest !== undefined) this.#kept.delete(oldest);
    // One that failed is no answer to the next who asks.
    check.catch(() => this.#kept.delete(key));
    return check;
  }

  /** Answers what the headings leave open, and has it remembered for sheets with these headings. */
  async answer(sheet: ChosenSheet, address: string): Promise<void> {
    const { decisions } = this.#world;
    let isAnswered = false;
    const choose = async ({ choices }: Question): Promise<FoundHeading | undefined> => {
      const chosen = choices.find((choice) => choice.address === address);
      isAnswered = chosen !== undefined;
      return chosen;
    };
    const request = { ...requestOf(sheet, this.#world), decisions: { ...decisions, choose } };
    await validateSheet(request, { settings: this.#world.settings(), tell: () => undefined });
    if (!isAnswered)
      throw new Fault('usage', 'None of the headings was chosen.', 'Choose the column that holds the net pay.');
    this.#kept.clear();
  }

  async #check(sheet: ChosenSheet, settings: Settings): Promise<Check> {
    const recorder = new CheckRecorder();
    const tell: Tell = (event) => recorder.hear(event);
    const { profile, sandbox } = settings;
    tell({ type: 'start', command: 'validate', version: this.#world.version, profile, sandbox });
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
    const end = await validateSheet(asking, { settings, tell }, (rows) =>
      tellEarlier({ ...rows, file: path.basename(sheet.file) }, { settings, tell }, () => this.#world.records(tell)),
    ).catch((error: unknown) => {
      if (error instanceof Fault) return endedBy(error);
      throw error;
    });
    const worksheets: FoundWorksheet[] = [];
    for (const name of names) worksheets.push({ name, samples: await firstValues(sheet, name) });
    return {
      record: recorder.record(),
      end,
      ...(worksheets.length > 0 && { worksheets }),
      ...(question && { question }),
    };
  }
}

/** The first values of a worksheet; none of one that cannot be read, which the check says when it is chosen. */
async function firstValues(sheet: ChosenSheet, worksheet: string): Promise<readonly string[]> {
  try {
    const opened = await openSheet(sheet.file, { ...readingOf(sheet), worksheet });
    try {
      for await (const block of opened.rows()) {
        const texts = block.flatMap(({ cells }) => cells.map(cellText)).filter((text) => text.trim() !== '');
        if (texts.length > 0) return texts.slice(0, WORKSHEET_SAMPLES_MAX);
      }
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
  return [];
}

/** Which rows of a sheet are shown. */
export interface GridWish {
  /** Counted from 1. */
  readonly page: number;
  /** Text that one of its cells holds, in any case; empty: every row. */
  readonly search: string;
  /** Numbers of the rows that are shown; undefined: all. */
  readonly only?: ReadonlySet<number> | undefined;
}

export interface Grid {
  readonly rows: readonly { readonly number: number; readonly cells: readonly Cell[] }[];
  /** Rows that fit what is wished. */
  readonly count: number;
}

/** Rows of a page of the grid. */
export const GRID_ROWS = 200;

/** What a cell says, for people. */
export const cellText = (cell: Cell | undefined): string => sheetValueText(sheetValueOf(cell));

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** One page of the rows below the headings, read from the sheet itself. */
export async function gridOf(sheet: ChosenSheet, headerRow: number, wish: GridWish, limits?: number): Promise<Grid> {
  const { page, only } = wish;
  const search = folded(wish.search.trim());
  const opened = await openSheet(sheet.file, {
    ...readingOf(sheet),
    ...(limits !== undefined && { limits: { rows: limits } }),
  });
  try {
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
  } finally {
    await opened.close();
  }
}

/** The cell of a column, as text. */
export const textIn = (cells: readonly Cell[], column: number): string => cellText(cellIn(cells, column));
