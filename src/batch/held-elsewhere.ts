/** Rows that are paid although a column other than the hold column says that they are not to be paid. */
import { addressOf, type Cell, cellIn } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import {
  answersApproved,
  answersNo,
  answersNone,
  answersYes,
  asksForTime,
  asksToLeaveOut,
  asksToPay,
} from '../kinds/asks-to-pay.ts';
import { typeColumn } from '../kinds/index.ts';
import { holdColumn } from '../kinds/left-out.ts';
import { isPlaceholder } from '../kinds/no-value.ts';
import { contentBelow, saysNotToPay } from '../kinds/not-to-pay.ts';
import { wordsOf } from '../kinds/plain-text.ts';
import type { BesideCheck, RowToPay } from './beside-check.ts';
import { type ColumnMap, hasNotesOfPeople, headingAt, textColumns } from './column-map.ts';

/** Columns whose own words decide whether and how a row is paid. */
const DECIDING: readonly string[] = [holdColumn.id, typeColumn.id];

/** Reports whether a cell says that its row is not to be paid. */
type SaysNotToPay = (cell: Cell) => boolean;

/** Warns of such rows, each time at its cell, and not at one that was already reported. */
export function heldElsewhere(map: ColumnMap): BesideCheck {
  const { headings, ownColumns, places } = map;
  const apart = new Set([...ownColumns, ...DECIDING.flatMap((id) => places.get(id) ?? [])]);
  const meanings = new Map([...places].flatMap(([id, columns]) => columns.map((column) => [column, id])));
  const judges = new Map(headings.map(({ column, text }) => [column, judgeBelow(text, meanings.get(column))] as const));
  const withoutHeading = judgeBelow('', undefined);
  const readsNotes = hasNotesOfPeople(map);
  /** Returns what a cell, or the note on it, says against paying its row. */
  const saidIn = (cell: Cell): string | undefined => {
    if (!apart.has(cell.column) && (judges.get(cell.column) ?? withoutHeading)(cell)) return cell.text;
    const { note } = cell;
    if (note === undefined || !readsNotes) return undefined;
    return saysNotToPay({ ...cell, type: 'text', text: note }, 'states') ? note : undefined;
  };
  return {
    issuesOf: ({ row: { number, cells }, issues }) =>
      cells
        .filter((cell) => saidIn(cell) !== undefined && issues.every(({ cell: at }) => at !== cell.address))
        .map((cell) => {
          const place = { row: number, cell: cell.address, value: saidIn(cell)?.trim() ?? '' };
          return issue('PB-HOLD-ELSEWHERE', place, { heading: headingAt(map, cell.column), hold: holdColumn.heading });
        }),
  };
}

/** Words of headings below which stands when or why a person left, or why a payment failed: `Exit Date`, `Error`. */
const OF_EXCEPTIONS =
  /^ (?:(?:exit|termination|resignation|separation|leaving|death|suspension) (?:date|day|reason)|(?:date|day|reason) (?:of |for )?(?:exit|termination|resignation|separation|leaving|death|left|suspension)|last (?:working )?day|(?:errors?|failure|rejection|rejected?|exceptions?)(?: (?:reason|message|code|description))?|(?:reason|cause) (?:of|for) (?:failure|rejection)) $/;

/** A column that says something of some rows only. */
interface PartColumn {
  readonly column: number;
  readonly heading: string;
  /** Whether the rows without an answer are those that are perhaps not to be paid. */
  readonly asksToPay: boolean;
  answer?: { readonly row: number; readonly cell: Cell };
  /** The first row without an answer. */
  gap?: number;
}

/** Finds rows without an answer next to others that are approved, and rows with an exception next to others that have none. */
export class PartlyAnswered implements BesideCheck {
  readonly #columns: readonly PartColumn[];

  constructor({ headings }: ColumnMap) {
    const open = headings.filter(({ means }) => means === undefined);
    this.#columns = open.flatMap(({ column, text }) => {
      const asks = asksToPay(text);
      return asks || OF_EXCEPTIONS.test(wordsOf(text)) ? [{ column, heading: text, asksToPay: asks }] : [];
    });
  }

  see({ row: { number, cells } }: RowToPay): void {
    for (const found of this.#columns) {
      const cell = cellIn(cells, found.column);
      if (!cell || cell.text.trim() === '' || isPlaceholder(cell)) found.gap ??= number;
      else if (!found.asksToPay || answersApproved(cell)) found.answer ??= { row: number, cell };
    }
  }

  /** Returns the issue of each such column, at the first of these rows. */
  issues(): readonly Issue[] {
    return this.#columns.flatMap(({ column, heading, asksToPay: atGap, answer, gap }) => {
      if (!answer || gap === undefined) return [];
      const row = atGap ? gap : answer.row;
      const place = { row, cell: addressOf(column, row), value: atGap ? '' : answer.cell.text.trim() };
      return [issue('PB-HOLD-ELSEWHERE', place, { heading, hold: holdColumn.heading })];
    });
  }
}

/** Returns how the cells below a heading are judged. `means` is the column that the heading means. */
function judgeBelow(heading: string, means: string | undefined): SaysNotToPay {
  const content =
    means === undefined || means === 'reference' || textColumns.includes(means) ? contentBelow(heading) : 'names';
  const isQuestion = asksToPay(heading);
  const isOpposite = asksToLeaveOut(heading);
  const isOfTime = means === undefined && asksForTime(heading);
  return (cell) =>
    saysNotToPay(cell, content) ||
    (isQuestion && answersNo(cell)) ||
    (isOpposite && answersYes(cell)) ||
    (isOfTime && answersNone(cell));
}
