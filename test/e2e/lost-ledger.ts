/**
 * The ledger is lost, in whole or in part, or put back from an older copy, and the same money is asked for again. The ids
 * are the same as ever, but whether the service refuses them, answers them in a misleading way or pays them a second time
 * must not matter: what reached the service is not sent again, and what was lost on its way is.
 */
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { signedCheckpointText } from '../../src/ledger/checkpoint.ts';
import { keysInFolder } from '../../src/ledger/key-folder.ts';
import type { PracticeRoute } from '../../src/sandbox/practice-account.ts';
import type { Books, Sandbox } from '../../src/sandbox/sandbox.ts';
import type { DuplicateMode } from '../../src/sandbox/scenario.ts';
import { until } from '../dispatch/until.ts';
import { accountIn, openService, paidTraces, play, quickProfile } from '../support/desk/account.ts';
import { Child } from '../support/desk/child.ts';
import { type Desk, openDesk, type Told, toldOf } from '../support/desk/command-line.ts';
import { csvOf, people, type SheetLine, totalOf } from '../support/desk/payroll-sheet.ts';

/** Nobody listens there. */
export const CALLBACKS = 'https://callbacks.invalid/paybatch';

const SOME_SENT = /"type":"progress"/;
export const QUICK_ENDS = 'settle-min=20,settle-max=80';
/** So slow that a signal meets a run in the middle. */
export const SLOWLY = `${QUICK_ENDS},slow=25`;

/** How long a run waits for final outcomes, in milliseconds: long enough that a slow machine leaves no row open. */
const DEADLINE_MS = 60_000;

/** What a situation is played with. */
export interface Trial {
  readonly rows: number;
  /** What the service does with an id that it holds. */
  readonly mode: DuplicateMode;
}

/** Endings of phones: the first submission never arrives; it is taken and its answer is lost. */
const [UNTAKEN, UNANSWERED] = ['0006', '0005'];

/**
 * People of whom every twelfth is not taken at first, and every twelfth taken without anybody hearing of it. Orders leave in an
 * order that is drawn, and a run stops after nine unread answers in a row: with twice as many unlucky people, one run of 120 rows
 * in 250 met nine of them.
 */
export const unluckyPeople = (count: number): readonly SheetLine[] =>
  people(count).map((line, index) => {
    const ending = { 1: UNTAKEN, 7: UNANSWERED }[index % 12];
    return ending ? { ...line, phone: `+25471${String(index).padStart(3, '0')}${ending}` } : line;
  });

/** The flags that confirm `people(rows)`. */
export const totalsOf = (rows: number): readonly string[] => [
  '--expect-count',
  String(rows),
  '--expect-total',
  totalOf(rows),
];

export async function deskWith(
  account: Pick<Sandbox, 'url' | 'clientId' | 'clientSecret'> & { readonly routes: readonly PracticeRoute[] },
  lines: readonly SheetLine[],
): Promise<Desk> {
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(lines));
  const profile = { ...quickProfile(account.routes, DEADLINE_MS), callbacks: { url: CALLBACKS } };
  await desk.writeConfig({ profiles: { env: profile } });
  desk.payBy(accountIn(account));
  return desk;
}

/** The state of the profile: its ledger with all that SQLite keeps beside it. */
export const ledgerFiles = async (desk: Desk): Promise<readonly string[]> =>
  (await readdir(path.join(desk.home, 'env')))
    .filter((name) => name.startsWith('ledger.db'))
    .map((name) => path.join(desk.home, 'env', name));

/** A run that goes on meanwhile may take a file away itself, or put a checkpoint into the folder that is being emptied. */
const GONE = { recursive: true, force: true, maxRetries: 5 } as const;

/** Ways in which a ledger is lost. */
const losses = {
  'the ledger': async (desk: Desk) => {
    for (const file of await ledgerFiles(desk)) await rm(file, GONE);
  },
  'the folder of the profile': (desk: Desk) => rm(path.join(desk.home, 'env'), GONE),
  'the state folder': (desk: Desk) => rm(desk.home, GONE),
} as const satisfies Record<string, (desk: Desk) => Promise<void>>;

const checkpointOf = (desk: Desk): string => path.join(desk.home, 'checkpoints', 'env.json');

export type Loss = keyof typeof losses;
export const everyLoss = Object.keys(losses) as readonly Loss[]; // the table's own keys

export const noticesOf = ({ events }: Told) =>
  events.filter(({ type }) => type === 'notice').map(({ message }) => message);

/** Every payee was paid once; sent twice were those whose first submission was lost before the service took it, and no other. */
export function expectEverybodyPaidOnce(books: Books, rows: number): void {
  expect(new Set(paidTraces(books)).size).toBe(rows);
  expect(paidTraces(books)).toHaveLength(rows);
  expect(books.paid['KES']).toBe(totalOf(rows));
  expectNoneSentInVain(books);
}

function expectNoneSentInVain({ orders }: Books): void {
  const posts = orders.map(({ lines, ...order }) => [lines[0]?.payee, order.posts]);
  expect(posts).toEqual(orders.map(({ lines: [line] }) => [line?.payee, line?.payee.endsWith(UNTAKEN) ? 2 : 1]));
}

/** Runs the sheet in a process of its own, which goes on when some have arrived and others are not yet sent. */
export async function inTheMiddle(desk: Desk, service: Sandbox, rows: number): Promise<Child> {
  const child = new Child(desk, ['run', 'pay.csv', ...totalsOf(rows), '--concurrency', '2', '--json']);
  await child.until(SOME_SENT);
  await until(() => service.books().orders.length > 0);
  return child;
}

/** A service in that mode, and a desk whose run was killed there in the middle; from then on the service answers at once. */
async function killedInTheMiddle({ rows, mode }: Trial, before: (desk: Desk, service: Sandbox) => Promise<void>) {
  const service = await openService(`${SLOWLY},duplicates=${mode}`);
  const desk = await deskWith(service, unluckyPeople(rows));
  await before(desk, service);
  const child = await inTheMiddle(desk, service, rows);
  child.kill('SIGKILL');
  expect((await child.end()).exit).toBe(-1);
  const sent = service.books().orders.length;
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(rows);
  await play(service, `${QUICK_ENDS},duplicates=${mode}`);
  return { desk, service };
}

const asItIs = async (): Promise<void> => undefined;

export async function killedAndLost(trial: Trial, lost: Loss): Promise<void> {
  const { desk, service } = await killedInTheMiddle(trial, asItIs);
  await losses[lost](desk);
  const told = await desk.emit(['run', 'pay.csv', ...totalsOf(trial.rows)]);

  expect(told).toMatchObject({ exit: 0, end: { rows: { total: trial.rows, completed: trial.rows } } });
  expectEverybodyPaidOnce(service.books(), trial.rows);
}

export async function lostBeneath({ rows, mode }: Trial, lost: Loss): Promise<void> {
  const service = await openService(`${SLOWLY},duplicates=${mode}`);
  const desk = await deskWith(service, unluckyPeople(rows));
  const child = await inTheMiddle(desk, service, rows);
  await losses[lost](desk);
  // Not after the first has ended: nothing but the first itself keeps the two from sending at once.
  const told = await desk.emit(['run', 'pay.csv', ...totalsOf(rows)]);

  const ended = await child.end();
  // What it noticed first: its files are gone, or the place for the checkpoint of a claim is.
  expect(toldOf(ended)).toMatchObject({ exit: 10, fault: { code: 'ledger-unsafe' } });
  expect(told).toMatchObject({ exit: 0, end: { rows: { total: rows, completed: rows } } });
  expectEverybodyPaidOnce(service.books(), rows);
}

/**
 * No look-up shows what the service took before the ledger was lost, for longer than a run waits. So ids that it holds are
 * sent again, and what it does with them is all that keeps anybody from being paid twice.
 */
export async function shownTooLate({ rows, mode }: Trial): Promise<void> {
  const service = await openService(`${SLOWLY},duplicates=${mode}`);
  const desk = await deskWith(service, people(rows));
  // The second run waits for its first payments for as long as for any other word.
  const profile = { ...quickProfile(service.routes, 4000), callbacks: { url: CALLBACKS } };
  await desk.writeConfig({ profiles: { env: profile } });
  const child = new Child(desk, ['run', 'pay.csv', ...totalsOf(rows), '--concurrency', '2', '--json']);
  // The smallest 13 ids go first, and the next ledger begins with one of them, whichever it draws.
  await until(() => service.books().orders.length > 13);
  child.kill('SIGKILL');
  expect((await child.end()).exit).toBe(-1);
  const held = service.books().orders.map(({ id }) => id);
  await losses['the state folder'](desk);
  await play(service, `${SLOWLY},read-lag=600000,duplicates=${mode}`);

  const again = desk.emit(['run', 'pay.csv', ...totalsOf(rows)]);
  await until(() => service.books().orders.some(({ posts }) => posts > 1));
  await play(service, `${QUICK_ENDS},duplicates=${mode}`);

  let told = await again;
  // What turns up in the middle looks like somebody who sends now: the run may stop for that, and is resumed. Where the service accepts
  // a repetition without acting, and shows the first under another id, it always does.
  expect(mode === 'accept-then-9' ? [7] : [0, 7]).toContain(told.exit);
  if (told.exit === 7) told = await desk.emit(['resume']);
  expect(told).toMatchObject({ exit: 0, end: { rows: { total: rows, completed: rows } } });
  const books = service.books();
  expect(paidTraces(books)).toHaveLength(rows);
  expect(books.paid['KES']).toBe(totalOf(rows));
  const twice = books.orders.filter(({ posts }) => posts > 1);
  expect(twice.map(({ posts }) => posts)).toEqual(twice.map(() => 2));
  expect(held).toEqual(expect.arrayContaining(twice.map(({ id }) => id)));
}

/** The profile's folder as it was in the middle of the batch; its checkpoint is not in it. */
export async function olderLedgerPutBack(trial: Trial, checkpoint: 'stays' | 'is lost'): Promise<void> {
  const { desk, service } = await killedInTheMiddle(trial, asItIs);
  const backup = desk.path('backup');
  await cp(path.join(desk.home, 'env'), backup, { recursive: true });
  expect((await desk.emit(['resume'])).exit).toBe(0);

  for (const file of await ledgerFiles(desk)) await rm(file);
  await cp(backup, path.join(desk.home, 'env'), { recursive: true });
  if (checkpoint === 'is lost') await rm(checkpointOf(desk));
  const told = await desk.emit(['resume']);

  expect(told).toMatchObject({ exit: 0, end: { rows: { total: trial.rows, completed: trial.rows } } });
  const notice = checkpoint === 'stays' ? 'restored from an older copy' : 'is the latest one';
  expect(noticesOf(told)).toContainEqual(expect.stringContaining(notice));
  expectEverybodyPaidOnce(service.books(), trial.rows);
}

/** The ledger is the latest one, and nothing shows it any more. */
export async function markLost(trial: Trial): Promise<void> {
  const { desk, service } = await killedInTheMiddle(trial, asItIs);
  await rm(checkpointOf(desk));
  const told = await desk.emit(['resume']);

  expect(told).toMatchObject({ exit: 0, end: { rows: { total: trial.rows, completed: trial.rows } } });
  expect(noticesOf(told)).toContainEqual(expect.stringContaining('is the latest one'));
  expectEverybodyPaidOnce(service.books(), trial.rows);
}

/** Nothing is sent by a ledger without its key; it is set aside, as that asks for, and the sheet is run again. */
export async function keyLost(trial: Trial): Promise<void> {
  const { desk, service } = await killedInTheMiddle(trial, asItIs);
  const sent = service.books().orders.length;
  await rm(desk.path('keys'), GONE);
  const refused = await desk.emit(['resume']);
  expect(refused).toMatchObject({
    exit: 2,
    fault: { code: 'configuration', fix: expect.stringContaining('set the ledger aside, and run the same sheets') },
  });
  expect(service.books().orders).toHaveLength(sent);

  for (const file of await ledgerFiles(desk)) await rm(file);
  const told = await desk.emit(['run', 'pay.csv', ...totalsOf(trial.rows)]);
  expect(told).toMatchObject({ exit: 0, end: { rows: { total: trial.rows, completed: trial.rows } } });
  expectEverybodyPaidOnce(service.books(), trial.rows);
}

export async function olderFolderPutBack(trial: Trial): Promise<void> {
  const { desk, service } = await killedInTheMiddle(trial, asItIs);
  const backup = desk.path('backup');
  await cp(desk.home, backup, { recursive: true, preserveTimestamps: true });
  expect((await desk.emit(['resume'])).exit).toBe(0);

  await rm(desk.home, { recursive: true });
  await cp(backup, desk.home, { recursive: true, preserveTimestamps: true });
  const told = await desk.emit(['resume']);

  expect(told).toMatchObject({ exit: 0, end: { rows: { total: trial.rows, completed: trial.rows } } });
  expect(noticesOf(told)).toContainEqual(expect.stringContaining('copied or restored'));
  expectEverybodyPaidOnce(service.books(), trial.rows);
}

/** Pays a first batch, and lets the time pass in which a new ledger is in recovery. */
async function useForLong(desk: Desk): Promise<void> {
  await desk.write('first.csv', csvOf(people(1).map((one) => ({ ...one, reference: 'first' }))));
  await desk.emit(['run', 'first.csv', '--batch', 'first', ...totalsOf(1)]);
  const checkpoint = JSON.parse(JSON.parse(await readFile(checkpointOf(desk), 'utf8')).text);
  const text = JSON.stringify({ ...checkpoint, recovery: { ...checkpoint.recovery, since: 0 } });
  const key = keysInFolder(desk.path('keys')).first(checkpoint.ledger);
  await writeFile(
    checkpointOf(desk),
    JSON.stringify({ text, key: key.name, signature: key.sign(signedCheckpointText(text)) }),
  );
}

/** Everything as it was in the middle of the batch, in the same files: nothing on the computer shows it. */
export async function diskPutBack(trial: Trial): Promise<void> {
  const { desk, service } = await killedInTheMiddle(trial, useForLong);
  const snapshot = await contentOf(desk.home);
  expect((await desk.emit(['resume'])).exit).toBe(0);

  for (const file of await ledgerFiles(desk)) if (!snapshot.has(file)) await rm(file);
  for (const [file, content] of snapshot) await writeFile(file, content);
  const told = await desk.emit(['resume']);

  expect(told.exit).toBe(0);
  expect(paidTraces(service.books())).toHaveLength(1 + trial.rows);
  expect(new Set(paidTraces(service.books())).size).toBe(1 + trial.rows);
  expectNoneSentInVain(service.books());
}

/** Everything as it was before the batch began, in the same files, after the batch was paid. */
export async function diskPutBackBefore({ rows, mode }: Trial): Promise<void> {
  const service = await openService(`${QUICK_ENDS},duplicates=${mode}`);
  const desk = await deskWith(service, people(rows));
  await useForLong(desk);
  const snapshot = await contentOf(desk.home);
  const paid = await desk.emit(['run', 'pay.csv', ...totalsOf(rows)]);
  expect(paid).toMatchObject({ exit: 0, end: { rows: { completed: rows } } });

  for (const file of await ledgerFiles(desk)) if (!snapshot.has(file)) await rm(file);
  for (const [file, content] of snapshot) await writeFile(file, content);
  const told = await desk.emit(['run', 'pay.csv', ...totalsOf(rows)]);

  expect(noticesOf(told)).toContainEqual(expect.stringContaining('not sent from this ledger'));
  expect(told).toMatchObject({ exit: 0, end: { rows: { completed: rows } } });
  expect(paidTraces(service.books())).toHaveLength(1 + rows);
  expect(service.books().orders.filter(({ posts }) => posts > 1)).toEqual([]);
}

export async function retriedAndLost({ rows, mode }: Trial, lost: Loss): Promise<void> {
  const service = await openService(`${QUICK_ENDS},fail=0.5,duplicates=${mode}`);
  const desk = await deskWith(service, unluckyPeople(rows));
  const { end, exit } = await desk.emit(['run', 'pay.csv', ...totalsOf(rows)]);
  const failed = end.rows['failed'] ?? 0;
  expect({ exit, rows: end.rows }).toMatchObject({ exit: 6, rows: { completed: rows - failed } });
  expect(failed).toBeGreaterThan(rows / 12);
  const retried = await desk.emit(['retry', end.batch ?? '', ...totalsOfFailed(end)]);
  expect(retried).toMatchObject({ exit: 6, end: { rows: { unsent: 0 } } });
  const sent = service.books().orders.length;
  expect(sent).toBe(rows + failed);

  await losses[lost](desk);
  const told = await desk.emit(['run', 'pay.csv', ...totalsOf(rows)]);

  expect(told.end.rows).toEqual(retried.end.rows);
  expect(told.end.amounts).toEqual(retried.end.amounts);
  expect(service.books().orders).toHaveLength(sent);
  expectNoneSentInVain(service.books());
  expect((await desk.say(['verify'])).exit).toBe(0);
}

/** The flags that confirm what is left of a batch of which rows failed, and no other was left unpaid. */
export function totalsOfFailed({ rows, amounts: [sum] }: Told['end']): readonly string[] {
  const cents = (text = '0'): bigint => BigInt(text.replace('.', ''));
  const minor = cents(sum?.['planned']) - cents(sum?.['completed']);
  const left = `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
  return ['--expect-count', String(rows['failed'] ?? 0), '--expect-total', left];
}

/** Every file below a folder: written back in place, each keeps its number and its birth, as a snapshot of the disk would. */
async function contentOf(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file)] as const)));
}
