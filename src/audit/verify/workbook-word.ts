/** What a results workbook states on its worksheet Audit: the head of the ledger, and how the workbook was made. */
import type { LedgerHead } from '../../domain/ledger-head.ts';
import { headIn, headLabels } from '../../results/head-text.ts';
import { type Made, madeIn, madeLabels } from '../../results/made-text.ts';
import { openSheet } from '../../sheet/open-sheet.ts';

const labels: ReadonlySet<string> = new Set([...Object.values(headLabels), ...Object.values(madeLabels)]);

interface WorkbookWord {
  readonly head?: LedgerHead;
  /** How the workbook was made, or a sentence if it does not say so. */
  readonly made: Made | string;
}

/**
 * Reads the labels of the worksheet Audit and the value after each. Throws a Fault `sheet-unreadable` for a file that is not a
 * workbook.
 */
export async function readWorkbookWord(file: string): Promise<WorkbookWord> {
  const sheet = await openSheet(file, { worksheet: 'Audit', ownResults: true });
  try {
    const texts = new Map<string, string>();
    for await (const block of sheet.rows()) {
      for (const { cells } of block) {
        const [label, said] = cells;
        if (label && said && labels.has(label.text)) texts.set(label.text, said.text);
      }
    }
    const head = headIn(texts);
    return { ...(head && { head }), made: madeIn(texts) };
  } finally {
    await sheet.close();
  }
}
