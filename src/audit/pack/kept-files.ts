/** The sheet and the plan of a batch, if they still exist: they are recognised by their hash only. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { PLAN, PLAN_BYTES_MAX } from '../../approval/plan.ts';
import type { BatchHeader } from '../../domain/batch.ts';
import { SHEET_BYTES_MOST } from '../../domain/sheet-size.ts';
import { contentHash } from '../../files/file-identity.ts';
import { batchFileName } from '../../results/file-name.ts';
import { type Member, member } from './members.ts';

export interface KeptFile {
  readonly name: Member;
  readonly path: string;
  readonly sha256: string;
}

export interface KeptFiles {
  readonly sheet?: KeptFile;
  readonly plan?: KeptFile;
}

const sheetMember = (name: string): Member =>
  path.extname(name).toLowerCase() === '.xlsx' ? member.sheetBook : member.sheetText;

/** Looks for sheet and plan in their original places and among `given`. A file that is missing or has changed is left out. */
export async function keptFiles(header: BatchHeader, given: readonly string[]): Promise<KeptFiles> {
  const { folder, name, sha256 } = header.sheet;
  const sheet = await withHash(sha256, SHEET_BYTES_MOST, [path.join(folder, name), ...given]);
  const plan =
    header.approval &&
    (await withHash(header.approval.plan, PLAN_BYTES_MAX, [path.join(folder, batchFileName(header, PLAN)), ...given]));
  return {
    ...(sheet !== undefined && { sheet: { name: sheetMember(name), path: sheet, sha256 } }),
    ...(plan !== undefined &&
      header.approval && { plan: { name: member.plan, path: plan, sha256: header.approval.plan } }),
  };
}

async function withHash(sha256: string, bytesMax: number, files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats?.isFile() && stats.size <= bytesMax && (await contentHash(file)) === sha256) return file;
  }
  return undefined;
}
