/** What a results workbook says of itself on its worksheet Audit: the ledger's head, and how it was made. */
import type { LedgerHead } from '../../domain/ledger-head.ts';
import { headIn, headLabels } from '../../results/head-text.ts';
import { type Made, madeIn, madeLabels } from '../../results/made-text.ts';
import { openSheet } from '../../sheet/open-sheet.ts';

const labels: ReadonlySet<string> = new Set([...Object.values(headLabels), ...Object.values(madeLabels)]);

interface WorkbookWord {
  readonly head?: LedgerHead;
  /** A sentence where it does not say how it was made. */
  readonly made: Made | string;
}

/** Reads labels, and what is said in the cell after each. Fault `sheet-unreadable` for a file that is no workbook. */
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
