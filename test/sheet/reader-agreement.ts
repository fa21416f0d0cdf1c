/** Workbooks of four programs, read by ours and by two others: where they differ, it is a fault of the others that is listed. */
import { expect } from 'vitest';
import { faultsOfOthers } from '../support/second-readers/faults-of-others.ts';
import { differential } from '../support/second-readers/sheet-differential.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

const PROGRAMS = 4;
const SEED = 2;

/** `compared`: cells that so many workbooks hold at least. */
export async function expectAgreement({
  workbooks,
  compared,
}: {
  readonly workbooks: number;
  readonly compared: number;
}): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const report = await differential(folder, workbooks, SEED);
    expect(report.unwritten).toBe(0);
    expect([...report.written.values()]).toEqual(Array.from({ length: PROGRAMS }, () => workbooks / PROGRAMS));
    expect(report.compared).toBeGreaterThan(compared);
    expect(
      report.unexplained.map(({ made, other, address, ours, theirs }) => ({
        workbook: `seed ${SEED}, ${made.seed} by ${made.program}`,
        other,
        address,
        ours,
        theirs,
      })),
    ).toEqual([]);
    // A table that explained nothing would not have been asked.
    expect([...report.explained.keys()].length).toBeGreaterThan(5);
    expect(new Set(faultsOfOthers.map(({ id }) => id)).size).toBe(faultsOfOthers.length);
  });
}
