/**
 * Repairs of cells: what came along with a value when it was typed or pasted, and can be removed in one certain way. Anything
 * that could mean something else (a letter O, a separator, lost digits, characters that change the order in which others are
 * shown) is never repaired.
 */
import type { Issue, Repair, RepairReason } from '../domain/issue.ts';
import { type CellView, type Column, damageOf, type ReadContext, type Reading, value, withoutEdges } from './column.ts';

/** The signs with which Excel marks a number as text, in the forms that copying leaves. */
export const TEXT_MARK = /^['\u2018\u2019\u02bc`\u00b4]/u;
/** Characters without width that change neither what is seen nor its order. */
const WIDTHLESS = /[\u200d\u200b\u200c\u200e\u2060\ufeff]/gu;
const WIDE_DIGITS = /[\uff10-\uff19]/gu;
/** Difference between the code points of a full-width digit and its ASCII form. */
const WIDE_OFFSET = 0xfee0;

/** Returns the repaired text; `undefined` if there is nothing to repair. The repair is certain only if the column can read the result. */
export function repairOf(text: string): Repair | undefined {
  const why: RepairReason[] = [];
  const replaced = (from: string, pattern: RegExp, by: (found: string) => string, reason: RepairReason): string => {
    const to = from.replace(pattern, by);
    if (to !== from) why.push(reason);
    return to;
  };
  const seen = replaced(withoutEdges(text), WIDTHLESS, () => '', 'invisible');
  const bare = replaced(seen, TEXT_MARK, () => '', 'apostrophe');
  const narrow = (digit: string): string => String.fromCodePoint((digit.codePointAt(0) ?? 0) - WIDE_OFFSET);
  const to = replaced(bare, WIDE_DIGITS, narrow, 'wide-digits');
  return why.length > 0 ? { to, why } : undefined;
}

/** Reads a cell. A cell with an issue is read again as its repair, which is used only if the operator accepts fixes. */
export function readOrRepair<T>(column: Column<T>, view: CellView, context: ReadContext): Reading<T> {
  const reading = column.read(view, context);
  const { cell } = view;
  if (reading.ok || column.decides === undefined || cell?.type !== 'text' || damageOf(view)) return reading;
  const repair = repairOf(cell.text);
  const repaired = repair && column.read({ ...view, cell: { ...cell, text: repair.to } }, context);
  if (!repair || !repaired?.ok) return reading;
  const proposed: Issue = { ...reading.issue, repair };
  return context.acceptFixes
    ? value(repaired.value, { ...proposed, level: 'warning' })
    : { ok: false, issue: proposed };
}
