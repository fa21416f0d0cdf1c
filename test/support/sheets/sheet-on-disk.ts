/** Sheets on a real disk, in a folder that is removed after the test. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SheetRow } from '../../../src/domain/cell.ts';
import { Fault } from '../../../src/domain/fault.ts';
import { type OpenedSheet, openSheet, type SheetOptions } from '../../../src/sheet/open-sheet.ts';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paybatch-sheet-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file and returns its path. */
export async function onDisk(name: string, bytes: string | Uint8Array): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, bytes);
  return path;
}

/** Writes and opens a sheet; it is closed after the test. */
export async function opened(name: string, bytes: string | Uint8Array, options?: SheetOptions): Promise<OpenedSheet> {
  const sheet = await openSheet(await onDisk(name, bytes), options);
  onTestFinished(() => sheet.close());
  return sheet;
}

async function allRows(sheet: OpenedSheet): Promise<readonly SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const block of sheet.rows()) rows.push(...block);
  return rows;
}

export async function rowsOf(name: string, bytes: string | Uint8Array, options?: SheetOptions) {
  return allRows(await opened(name, bytes, options));
}

/** Texts by address, for tests that look at nothing else. */
export async function textsOf(name: string, bytes: string | Uint8Array, options?: SheetOptions) {
  const rows = await rowsOf(name, bytes, options);
  return Object.fromEntries(rows.flatMap(({ cells }) => cells.map(({ address, text }) => [address, text])));
}

/** The fault with which a sheet is refused, at the latest when it is read to its end. */
export async function faultOf(name: string, bytes: string | Uint8Array, options?: SheetOptions): Promise<Fault> {
  try {
    await rowsOf(name, bytes, options);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error(`${name} was read although it must be refused`);
}
