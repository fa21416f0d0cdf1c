import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { accountIn, openService, paidTraces, quickProfile, quickWaits } from '../../support/desk/account.ts';
import { openDesk, stoppedOncePlanned, type Told } from '../../support/desk/command-line.ts';
import { csvOf, people, resultsIn, type SheetLine, totalOf } from '../../support/desk/payroll-sheet.ts';
import { fastClock } from '../../support/fast-clock.ts';
import { sendJson, serve } from '../../support/loopback.ts';
import { specProblems } from '../../support/spec-messages.ts';

const clock = fastClock();

const polling = { firstMs: 20, maxMs: 100, deadlineMs: 2000 };
/** Row 2 waits for two minutes; the others end at once. */
const waiting: readonly SheetLine[] = people(3).map((line, index) =>
  index === 0 ? { ...line, phone: '+254712000003' } : line,
);

async function practised(lines = waiting, sending: object = {}) {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', csvOf(lines));
  await desk.writeConfig({
    profiles: { sandbox: { ...quickWaits, polling, sending: { ...quickWaits.sending, ...sending } } },
  });
  const { end } = await desk.emit(['run', 'pay.csv', '--scenario', 'settle-min=10,settle-max=20']);
  return { desk, batch: end.batch ?? '', run: end };
}

/** All three rows in one order; what becomes of row 3 is chosen by its phone. */
async function practisedTogether(phone: string) {
  const lines = waiting.map((line, index) => (index === 1 ? { ...line, phone } : line));
  return { lines, ...(await practised(lines, { linesPerOrder: 3 })) };
}

const notices = ({ events }: Told): string =>
  events.flatMap(({ type, message }) => (type === 'notice' ? [String(message)] : [])).join('\n');

describe('an order that is not final', () => {
  test('is stopped, and is rejected because a look-up says so; one that is completed, or not there, is not', async () => {
    const { desk, batch, run } = await practised();
    expect(run.rows).toMatchObject({ completed: 2, pending: 1 });
    for (const row of ['3', '44']) {
      const refused = await desk.emit(['reject', batch, '--row', row]);
      expect(refused, row).toMatchObject({ exit: 2, fault: { code: 'usage' } });
    }
    expect((await desk.emit(['status', batch])).end.rows).toEqual(run.rows);
    const told = await desk.emit(['reject', batch, '--note', 'left  in May']);
    expect(told.exit).toBe(6);
    expect(told.end.rows).toMatchObject({ completed: 2, rejected: 1 });
    expect(told.events).toContainEqual(expect.objectContaining({ type: 'reject', row: 2, end: 'rejected' }));
    expect(notices(told)).toContain('Rejected, as the service now says itself: row 2.');
    const [row, other] = await resultsIn(told.end.files[0]?.path ?? '');
    expect(row).toMatchObject({ Outcome: 'Rejected' });
    expect(row?.['Reason in plain words']).toMatch(
      /A stop of its order was requested by .+ on \d{4}-\d\d-\d\d: left in May\.$/,
    );
    expect(other?.['Reason in plain words']).toBeUndefined();
    expect(notices(await desk.emit(['reject', batch]))).toContain('nothing to stop');
    expect((await desk.say(['verify'])).exit).toBe(0);
    const retried = await desk.emit(['retry', batch]);
    expect(retried.end.rows).toMatchObject({ completed: 2, pending: 1 });
  });

  test('of several lines is stopped as a whole, or not at all', async () => {
    const { desk, batch, run } = await practisedTogether('+254713000003');
    expect(run.rows).toMatchObject({ completed: 1, pending: 2 });
    const one = await desk.emit(['reject', batch, '--row', '2']);
    expect(one).toMatchObject({ exit: 2, fault: { code: 'usage' } });
    expect(one.fault?.['fix']).toContain('--row 3');
    expect((await desk.emit(['reject', batch, '--row', '2', '3'])).end.rows).toMatchObject({
      completed: 1,
      rejected: 2,
    });
    const retried = await desk.emit(['retry', batch, '--row', '3']);
    expect(retried.end.rows).toMatchObject({ completed: 1, rejected: 1, pending: 1 });
    expect((await desk.say(['verify'])).exit).toBe(0);
  });
});

test('a line that timed out is not stopped with others unless it is named, or a person has settled it', async () => {
  const { desk, batch, run, lines } = await practisedTogether('+254713000002');
  expect(run.rows).toMatchObject({ completed: 1, pending: 1, timedOut: 1 });
  const unnamed = await desk.emit(['reject', batch, '--row', '2']);
  expect(unnamed).toMatchObject({ exit: 2, fault: { code: 'usage' } });
  expect(unnamed.fault?.['fix']).toContain('--row 3');
  const settled = await desk.emit([
    'resolve',
    batch,
    '--row',
    '3',
    '--not-paid',
    '--note',
    'asked',
    '--amount',
    lines[1]?.amount ?? '',
  ]);
  expect(settled.end.rows).toMatchObject({ timedOut: 0 });
  expect((await desk.emit(['reject', batch, '--row', '2'])).end.rows).toMatchObject({ rejected: 1 });
});

describe('nothing is stopped', () => {
  test('of rows that were never sent: they are named, with what would send them', async () => {
    const desk = await openDesk(clock);
    await desk.write('pay.csv', csvOf(people(2)));
    const { end } = await desk.emit(['run', 'pay.csv'], stoppedOncePlanned());
    const told = await desk.emit(['reject', end.batch ?? '']);
    expect(told.exit).toBe(7);
    expect(told.end.rows).toMatchObject({ unsent: 2 });
    expect(notices(told)).toMatch(/Never sent.*row 2, 3.*paybatch resume/);
  });

  test('of airtime, which has no such operation', async () => {
    const desk = await openDesk(clock);
    await desk.write('pay.csv', 'Type,Reference,Name,Phone,Amount\nairtime,A-1,Ann Atieno,+254712000003,100\n');
    await desk.writeConfig({ profiles: { sandbox: { ...quickWaits, polling } } });
    const { end } = await desk.emit(['run', 'pay.csv']);
    const told = await desk.emit(['reject', end.batch ?? '']);
    expect(told.exit).toBe(7);
    expect(notices(told)).toContain('airtime and bills have no such operation: row 2');
  });
});

test('a ledger that was put back does not vouch for what it never sent: the service is asked to stop that, too', async () => {
  const [desk, service] = [await openDesk(clock), await openService('settle-min=10,settle-max=20', clock)];
  await desk.write('pay.csv', csvOf(waiting));
  await desk.writeConfig({ profiles: { env: { ...quickProfile(service.routes), polling } } });
  desk.payBy(accountIn(service));
  const totals = ['--expect-count', '3', '--expect-total', totalOf(3)];
  const { end } = await desk.emit(['run', 'pay.csv', ...totals], stoppedOncePlanned());
  const batch = end.batch ?? '';
  expect(end.rows).toMatchObject({ unsent: 3 });
  const [state, backup] = [path.join(desk.home, 'env'), desk.path('backup')];
  await cp(state, backup, { recursive: true });
  expect((await desk.emit(['resume', batch])).end.rows).toMatchObject({ completed: 2 });
  await rm(state, { recursive: true });
  await cp(backup, state, { recursive: true });

  const told = await desk.emit(['reject', batch]);

  expect(notices(told)).toContain('Rejected, as the service now says itself: row 2.');
  expect(notices(told)).toContain('ESCAPED, already paid: row 3, 4.');
  expect(told.end.rows).toMatchObject({ completed: 2, rejected: 1, unsent: 0 });
});

const publishedLine = (name: string): object => Object(specProblems.get(name)?.body).paymentOrderlines[0];

/** Answers that say nothing true, one for each order: only what a look-up reads counts. */
const untrue: readonly object[] = [
  { transactionStatus: 7, resultCode: '0', resultCodeDescription: 'Success' },
  publishedLine('4-reject-published'),
  publishedLine('4-reject-published-as-text'),
];

test('an answer of success, or one that contradicts itself or has a status of text, is never taken for a rejection by itself', async () => {
  const answered = new Set<string>();
  const [desk, service] = [await openDesk(clock), await openService('settle-min=600,settle-max=700', clock)];
  const door = await serve(async (request, response) => {
    if (request.path.includes('reject-order')) {
      const originatorConversationId = request.query.get('OriginatorConversationId');
      const said = untrue[answered.size];
      answered.add(originatorConversationId ?? '');
      return sendJson(response, 200, { paymentOrderlines: [{ ...said, originatorConversationId }] });
    }
    const query = request.query.size > 0 ? `?${request.query}` : '';
    const type = request.path === '/connect/token' ? 'application/x-www-form-urlencoded' : 'application/json';
    const answer = await fetch(`${service.url}${request.path}${query}`, {
      method: request.method,
      headers: { ...(request.authorization && { authorization: request.authorization }), 'content-type': type },
      ...(request.method === 'POST' && { body: request.body }),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await desk.write('pay.csv', csvOf(people(3)));
  await desk.writeConfig({
    profiles: { env: { ...quickProfile(service.routes), polling: { firstMs: 20, maxMs: 50, deadlineMs: 100 } } },
  });
  desk.payBy(accountIn({ ...service, url: door.url }));
  const { end } = await desk.emit(['run', 'pay.csv', '--expect-count', '3', '--expect-total', totalOf(3)]);
  const told = await desk.emit(['reject', end.batch ?? '']);
  expect(told.end.rows).toMatchObject({ rejected: 0 });
  expect(answered.size).toBe(untrue.length);
  expect(notices(told)).toMatch(/NOT KNOWN|ESCAPED/);
  // It was understood, and still proves nothing.
  expect(notices(told)).not.toContain('cannot be read');
  await expect.poll(() => paidTraces(service.books()).length).toBe(3);
  const later = await desk.emit(['reject', end.batch ?? '']);
  expect(notices(later)).toMatch(/ESCAPED|nothing to stop/);
});
