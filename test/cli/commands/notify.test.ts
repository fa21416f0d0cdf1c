import { describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';
import { fastClock } from '../../support/fast-clock.ts';
import { type Arrived, sendJson, serve } from '../../support/loopback.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A desk whose practice profile tells a webhook, which answers so. */
async function toldDesk(status: number): Promise<{ readonly desk: Desk; readonly arrived: Arrived[] }> {
  const desk = await openDesk(fastClock());
  const { url, arrived } = await serve((_, response) => sendJson(response, status, {}));
  const secretFile = await desk.write('keys/webhook', SECRET);
  await desk.writeConfig({
    profiles: { sandbox: { notify: { webhook: { url: `${url}/hook?key=hidden`, secretFile } } } },
  });
  return { desk, arrived };
}

/** Adds a schedule, and triggers it at the first of its dates. */
async function payDay(desk: Desk) {
  await desk.say(['schedule', 'add', 'payroll', '--sheet', '{period}.csv', '--on', 'last weekday', '--at', '09:00']);
  const { events } = await desk.emit(['schedule', 'next', '--count', '1']);
  const [next] = (events[0]?.['next'] ?? []) as readonly {
    readonly at: string;
    readonly period: string;
    readonly batch: string;
  }[];
  if (!next) throw new Error('there is no next date');
  return { ...next, trigger: () => desk.emit(['schedule', 'run-due', '--now', next.at]) };
}

describe('whoever is told of a pay day', () => {
  test('hears that it waits, is sent and is finished, each once, and nothing of any person', async () => {
    const { desk, arrived } = await toldDesk(204);
    const { trigger, period, batch } = await payDay(desk);
    await trigger();
    await trigger();
    await desk.write(`${period}.csv`, csvOf(people(2)));
    await desk.say(['validate', `${period}.csv`, '--totals']);
    expect(await trigger()).toMatchObject({ exit: 0 });
    await trigger();
    const told = arrived.map(({ body }) => JSON.parse(body));
    expect(told.map(({ type }) => type)).toEqual(['payment.waiting', 'payment.sent', 'payment.finished']);
    expect(told[2]).toMatchObject({
      data: { batch, exit: 0, sandbox: true, rows: { completed: 2 }, amounts: { completed: '2001.50' } },
    });
    expect(JSON.stringify(told)).not.toMatch(/Person|25471|EMP-/);
    expect(new Set(arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
  });

  test('is not told of where nobody answers, which is said and changes no exit code', async () => {
    const { desk, arrived } = await toldDesk(400);
    const { trigger, period } = await payDay(desk);
    await desk.write(`${period}.csv`, csvOf(people(2)));
    await desk.say(['validate', `${period}.csv`, '--totals']);
    const paid = await trigger();
    expect(paid).toMatchObject({ exit: 0, end: { rows: { completed: 2 } } });
    const said = paid.events.filter(({ code }) => code === 'notify-failed').map(({ message }) => message);
    expect(said).toEqual([
      expect.stringContaining('by webhook: it answered 400'),
      expect.stringContaining('"finished"'),
    ]);
    expect(arrived).toHaveLength(2);
    expect(paid.stdout + paid.stderr).not.toMatch(/hidden|MfKQ9r8G/);
  });
});

describe('whoever is told of payments that no schedule makes', () => {
  const typesOf = (arrived: readonly Arrived[]) => arrived.map(({ body }) => JSON.parse(body).type);

  test('hears of a run without a terminal, and of its resume, and of none that sent nothing', async () => {
    const { desk, arrived } = await toldDesk(204);
    await desk.write('pay.csv', csvOf([{ name: 'Ann', phone: '12', amount: '100' }]));
    expect((await desk.emit(['run', 'pay.csv', '--no-copy'])).exit).toBe(3);
    await desk.write('pay.csv', csvOf(people(2)));
    expect((await desk.emit(['run', 'pay.csv', '--dry-run'])).exit).toBe(0);
    expect(arrived).toEqual([]);
    const stop = new AbortController();
    const stopped = await desk.emit(['run', 'pay.csv', '--batch', 'november'], {
      signal: stop.signal,
      onOutput: (text) => text.includes('"batch.planned"') && stop.abort('SIGTERM'),
    });
    expect(stopped.exit).toBe(143);
    expect((await desk.emit(['run', 'pay.csv', '--batch', 'november'])).exit).toBe(8);
    expect(typesOf(arrived)).toEqual(['payment.sent', 'payment.in-doubt']);
    expect((await desk.emit(['resume', 'november'])).exit).toBe(0);
    const told = JSON.parse(arrived[2]?.body ?? '');
    expect(told).toMatchObject({
      type: 'payment.finished',
      data: { command: 'resume', batch: 'november', schedule: null, exit: 0, rows: { completed: 2 } },
    });
    expect(arrived).toHaveLength(3);
    expect(arrived.map(({ body }) => body).join()).not.toMatch(/Person|25471|EMP-/);
  });

  test('hears of a plan that is applied, and not of one that is stale', async () => {
    const { desk, arrived } = await toldDesk(204);
    await desk.write('pay.csv', csvOf(people(2)));
    const { end } = await desk.emit(['plan', 'pay.csv', '--batch', 'november']);
    const plan = end.files[0]?.path ?? '';
    await desk.write('pay.csv', csvOf(people(3)));
    expect((await desk.emit(['apply', plan])).exit).toBe(8);
    expect(arrived).toEqual([]);
    await desk.write('pay.csv', csvOf(people(2)));
    expect((await desk.emit(['apply', plan])).exit).toBe(0);
    expect(typesOf(arrived)).toEqual(['payment.sent', 'payment.finished']);
  });
});

describe('notify test', () => {
  test('tells, and says by which ways', async () => {
    const { desk, arrived } = await toldDesk(200);
    expect(await desk.say(['notify', 'test'])).toMatchObject({ exit: 0, lines: ['Notified by webhook.'] });
    expect(JSON.parse(arrived[0]?.body ?? '')).toMatchObject({ type: 'payment.test' });
  });

  test('says what does not work, and where nobody is named', async () => {
    const { desk } = await toldDesk(401);
    const said = await desk.say(['notify', 'test']);
    expect(said.exit).toBe(2);
    expect(said.stderr).toContain('By webhook: it answered 401.');
    expect(await (await openDesk()).emit(['notify', 'test'])).toMatchObject({
      exit: 2,
      fault: { code: 'configuration' },
    });
  });
});
