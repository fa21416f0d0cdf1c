/** A desk at which plans are made and approved by people with keys, and the service that pays them. */
import type { Office } from './live-office.ts';
import { csvOf, type SheetLine } from './payroll-sheet.ts';

/** Makes a key that lies open, and gives its public part. */
export async function makeKey({ desk }: Pick<Office, 'desk'>, name: string): Promise<string> {
  const { lines } = await desk.say(['approver', 'create', name, '--key', `${name}.key`, '--no-passphrase']);
  return lines[0] ?? '';
}

/** Plans a sheet of these rows, and gives the path of the plan. */
export async function makePlan(
  { desk }: Pick<Office, 'desk'>,
  rows: readonly SheetLine[],
  ...flags: readonly string[]
): Promise<string> {
  await desk.write('pay.csv', csvOf(rows));
  const { end, fault } = await desk.tell(['plan', 'pay.csv', '--batch', 'november', ...flags]);
  const [file] = end.files;
  if (!file) throw new Error(`no plan was made: ${JSON.stringify(fault)}`);
  return file.path;
}

/** Lets a person approve it, and gives the path of the approval. */
export async function approveBy({ desk }: Pick<Office, 'desk'>, name: string, plan: string): Promise<string> {
  const { end, fault } = await desk.tell(['approve', plan, '--key', `${name}.key`]);
  const [file] = end.files;
  if (!file) throw new Error(`nobody approved: ${JSON.stringify(fault)}`);
  return file.path;
}
