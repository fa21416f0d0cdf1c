/** `paybatch report --format pack`: no view of the results, but what they follow from. */
import path from 'node:path';
import type { BatchHeader } from '../../domain/batch.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { type PackPlace, packBatch } from '../../pack/pack-batch.ts';
import { PACK } from '../../pack/pack-name.ts';
import type { Records } from '../session.ts';
import type { Shell } from '../shell.ts';

/** Writes the pack, and tells what is not in it because nobody has it any more. */
export async function reportPack(
  batch: BatchHeader,
  { deps }: Pick<Records, 'deps'>,
  { cwd, version }: Pick<Shell, 'cwd' | 'version'>,
  { given = [], ...place }: PackPlace,
): Promise<RunEnd['files']> {
  const files = given.map((file) => path.resolve(cwd, file));
  const { path: written, kept } = await packBatch(batch, { ...deps, version }, { ...place, given: files });
  deps.tell({ type: 'file', kind: PACK, path: written });
  const isPurged = (await deps.ledger.purges()).has(batch.id);
  const missing = [
    ...(kept.sheet ? [] : [`the sheet ${shown(batch.sheet.name)}`]),
    ...(kept.plan || !batch.approval ? [] : ['the plan that was approved']),
  ];
  if (!isPurged && missing.length > 0) {
    const message = `The pack holds the SHA-256 of ${missing.join(' and ')}, and not the file: none with that hash was found. Name it with --with FILE if you have it.`;
    deps.tell({ type: 'notice', level: 'info', message });
  }
  return [{ kind: PACK, path: written }];
}
