/** A desk at which plans are made and approved by people with keys, and the service that pays them. */
import { quickProfile } from './account.ts';
import { type Office, openOffice } from './live-office.ts';
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
  const { end, fault } = await desk.emit(['plan', 'pay.csv', '--batch', 'november', ...flags]);
  const [file] = end.files;
  if (!file) throw new Error(`no plan was made: ${JSON.stringify(fault)}`);
  return file.path;
}

/** Lets a person approve it, and gives the path of the approval. */
export async function approveBy({ desk }: Pick<Office, 'desk'>, name: string, plan: string): Promise<string> {
  const { end, fault } = await desk.emit(['approve', plan, '--key', `${name}.key`]);
  const [file] = end.files;
  if (!file) throw new Error(`nobody approved: ${JSON.stringify(fault)}`);
  return file.path;
}

/** What the profile says of approvals, and more of it; then it counts from now on. */
export async function configure(
  { desk, service }: Pick<Office, 'desk' | 'service'>,
  approval: object | undefined,
  changes: { readonly profile?: object; readonly config?: object } = {},
): Promise<void> {
  const env = { ...quickProfile(service.routes, 40_000), ...(approval && { approval }), ...changes.profile };
  await desk.writeConfig({ profiles: { env }, ...changes.config });
}

export interface ApprovalOffice extends Office {
  /** Public keys by name. */
  readonly keys: Readonly<Record<string, string>>;
  /** As the profile says it. */
  readonly approval: object;
}

/** A live desk at which everything has to be approved by one of jane and ali, and plans be signed by mary. */
export async function openApprovalOffice(above = '0'): Promise<ApprovalOffice> {
  const office = await openOffice();
  const keys: Record<string, string> = {};
  for (const name of ['mary', 'jane', 'ali']) keys[name] = await makeKey(office, name);
  const { jane = '', ali = '' } = keys;
  const approval = { makerKey: true, tiers: [{ above: { KES: above }, required: 1 }], approvers: { jane, ali } };
  await configure(office, approval);
  return { ...office, keys, approval };
}

/** A plan of these rows, signed by mary and approved by jane. */
export async function approvedBatch(office: Pick<Office, 'desk'>, rows: readonly SheetLine[]): Promise<string> {
  const plan = await makePlan(office, rows, '--key', 'mary.key');
  await approveBy(office, 'jane', plan);
  return plan;
}
