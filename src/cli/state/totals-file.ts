/**
 * Control totals of a sheet, in a file next to it: what the person who checked the sheet says that it adds up to. A
 * scheduled sheet is paid only by them or by an approved plan. They guard against slips and later changes, but not against
 * a person who can write next to the sheet, who can write both.
 */
import { existsSync } from 'node:fs';
import { chmod, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { CheckedSheet } from '../../batch/check-rows.ts';
import { counted } from '../../domain/counted.ts';
import { Fault } from '../../domain/fault.ts';
import { decimalOf } from '../../domain/money.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { readShortFile } from '../../files/short-file.ts';
import { writeWholeText } from '../../files/whole-file.ts';
import { whyUnusable } from './why-unusable.ts';

/** Longest totals file, in bytes. It holds a few lines. */
const BYTES_MAX = 65_536;
/**
 * Rights that the totals may take over from the sheet: anyone who may read it may read them, and only their owner may write
 * them.
 */
const NOT_OTHERS_WRITE = 0o644;

const totalsSchema = z.strictObject({
  paybatch: z.literal('totals'),
  v: z.literal(1),
  sheet: z.string().max(1000),
  count: z.int().min(0),
  total: z.string().max(40),
  currency: z.string().max(3),
  content: z.string().regex(/^[0-9a-f]{64}$/),
  checkedBy: z.string().max(400),
  checkedAt: z.iso.datetime(),
});

export type ControlTotals = Omit<z.infer<typeof totalsSchema>, 'paybatch' | 'v'>;

/** Returns the path of the totals of a sheet: `payroll-2026-12.totals.json` for `payroll-2026-12.xlsx`. */
export const totalsFileOf = (sheet: string): string =>
  path.join(path.dirname(sheet), `${path.parse(sheet).name}.totals.json`);

/** Returns what a checked sheet adds up to. Its `content` stands for who gets what, in any order of the rows. */
export const totalsOf = (
  sheet: string,
  { payable, total, fingerprint }: Pick<CheckedSheet, 'payable' | 'total' | 'fingerprint'>,
  by: Pick<ControlTotals, 'checkedBy' | 'checkedAt'>,
): ControlTotals => ({
  sheet: path.basename(sheet),
  count: payable,
  total: decimalOf(total),
  currency: total.currency,
  content: fingerprint(),
  ...by,
});

/** Writes the totals next to their sheet, and replaces older ones. Returns the path. */
export async function writeTotals(sheet: string, totals: ControlTotals): Promise<string> {
  const content: z.infer<typeof totalsSchema> = { paybatch: 'totals', v: 1, ...totals };
  const { path: file } = await writeWholeText(totalsFileOf(sheet), 'totals', [
    `${JSON.stringify(content, undefined, 2)}\n`,
  ]);
  await chmod(file, (await stat(sheet)).mode & NOT_OTHERS_WRITE);
  return file;
}

/** Returns the totals of a sheet. Throws a Fault `totals-missing` if there are none that can be used. */
export function readTotals(sheet: string): ControlTotals {
  const file = totalsFileOf(sheet);
  const remedy = `The person who checks the sheet writes them: paybatch validate ${typedPath(sheet)} --totals`;
  const unusable = (why: string, cause?: unknown): Fault =>
    new Fault('totals-missing', `The control totals ${file} ${why}. Nothing was sent.`, remedy, { cause });
  if (!existsSync(file)) throw unusable('are not there');
  try {
    const {
      paybatch: _,
      v: __,
      ...totals
    } = totalsSchema.parse(JSON.parse(readShortFile(file, BYTES_MAX).toString('utf8')));
    if (totals.sheet !== path.basename(sheet)) throw unusable(`are those of another sheet, ${shown(totals.sheet)}`);
    return totals;
  } catch (error) {
    if (error instanceof Fault || !(error instanceof Error)) throw error;
    throw unusable(`cannot be read: ${whyUnusable(error)}`, error);
  }
}

/** Compares what is to be paid with the totals. Returns how it was confirmed, for the record. Throws a Fault `totals-differ`. */
export function confirmByTotals(
  stated: ControlTotals,
  found: Omit<ControlTotals, 'sheet' | 'checkedBy' | 'checkedAt'>,
): string {
  const { count, total, currency, content, checkedBy, checkedAt } = stated;
  const sums = `${counted(count, 'payment')}, ${currency} ${total}`;
  const who = `${shown(checkedBy)} at ${checkedAt}`;
  if (count !== found.count || total !== found.total || currency !== found.currency) {
    throw new Fault(
      'totals-differ',
      `The control totals differ: the sheet makes ${counted(found.count, 'payment')}, ${found.currency} ${found.total}; ${who} checked ${sums}. Nothing was sent.`,
      'Find out which is right. The person who checks the sheet now writes its totals again: paybatch validate SHEET --totals',
    );
  }
  if (content !== found.content) {
    throw new Fault(
      'totals-differ',
      `The sheet was changed since ${who} checked it: count and total are the same, but not who gets what. Nothing was sent.`,
      'Compare phones, accounts, names and references with those that were checked. The person who checks the sheet now writes its totals again: paybatch validate SHEET --totals',
    );
  }
  return `totals file: ${sums}, checked by ${who}`;
}
