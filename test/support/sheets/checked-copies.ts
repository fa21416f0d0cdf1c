/** Sheets on disk that are checked, and the copies that hand their problems back. */
import { type CheckedSheet, checkSheet } from '../../../src/batch/check-rows.ts';
import type { SheetRow } from '../../../src/domain/cell.ts';
import type { Issue } from '../../../src/domain/issue.ts';
import { type OpenedSheet, openSheet, type SheetOptions } from '../../../src/sheet/open-sheet.ts';
import { writeCheckedCopy } from '../../../src/sheet/write-checked-copy.ts';
import { openStaging } from '../../../src/staging/staging.ts';
import { currency } from '../amounts.ts';

export interface FileCheck {
  readonly checked: CheckedSheet;
  /** In row order, as the staging keeps them. */
  readonly issues: readonly Issue[];
  /** Path of the copy. */
  readonly copy: string;
}

const context = { country: 'KE', currency: currency('KES'), purpose: 'Wages', allowIdentical: 0 };

const ignore = (): void => undefined;

/** Checks a sheet on disk and writes its checked copy. */
export async function checkFile(path: string): Promise<FileCheck> {
  const issues: Issue[] = [];
  return { ...(await copyFile(path, (noted) => issues.push(...noted))), issues };
}

/** The same without holding anything: `use` may read what was found. */
export function copyFile(
  path: string,
  use: (noted: Iterable<Issue>) => void = ignore,
): Promise<Omit<FileCheck, 'issues'>> {
  return withSheet(path, async (sheet) => {
    const staging = openStaging();
    try {
      const checked = await checkSheet(() => sheet.rows(), staging, context, ignore);
      const copy = await writeCheckedCopy(sheet, { ...checked, issues: staging.issues() });
      use(staging.issues());
      return { checked, copy };
    } finally {
      staging.close();
    }
  });
}

/** All rows of a sheet on disk, as our own reader gives them. */
export const rowsIn = (path: string, options?: SheetOptions): Promise<readonly SheetRow[]> =>
  withSheet(
    path,
    async (sheet) => {
      const rows: SheetRow[] = [];
      for await (const block of sheet.rows()) rows.push(...block);
      return rows;
    },
    options,
  );

async function withSheet<T>(path: string, use: (sheet: OpenedSheet) => Promise<T>, options?: SheetOptions): Promise<T> {
  const sheet = await openSheet(path, options);
  try {
    return await use(sheet);
  } finally {
    await sheet.close();
  }
}
