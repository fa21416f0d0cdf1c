/** A service that takes its time over an order, and a run that is ended meanwhile: what is under way is not sent again. */
import { expect, test } from 'vitest';
import { until } from '../dispatch/until.ts';
import { accountIn, openService, paidTraces, quickProfile } from '../support/desk/account.ts';
import { Child } from '../support/desk/child.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { isLookUp, isSubmission, passOn } from '../support/desk/pass-on.ts';
import { csvOf, people, totalOf } from '../support/desk/payroll-sheet.ts';
import { serve } from '../support/loopback.ts';

const ROWS = 3;
const totals = ['--expect-count', String(ROWS), '--expect-total', totalOf(ROWS)];
/**
 * Passes everything on at once, but orders: those of the first run lie there, whether or not somebody still waits for an answer, until
 * the next run was told of one that it is unknown.
 */
async function openSlowOffice(inDoubt: object) {
  const [desk, service] = [await openDesk(), await openService('settle-min=5,settle-max=20,duplicates=execute')];
  const lying: (() => void)[] = [];
  let isNext = false;
  const { url, arrived } = await serve((one, response) => {
    const pass = (): void => passOn(service.url, one, response);
    if (isSubmission(one) && !isNext) return void lying.push(pass);
    if (isLookUp(one) && isNext) response.on('finish', () => lying.splice(0).forEach((late) => void late()));
    pass();
  });
  await desk.write('pay.csv', csvOf(people(ROWS)));
  await desk.writeConfig({ profiles: { env: { ...quickProfile(service.routes), ...inDoubt } } });
  desk.payBy(accountIn({ ...service, url }));
  return {
    desk,
    service,
    orders: () => arrived.filter(isSubmission).length,
    next: () => {
      isNext = true;
    },
  };
}

test.each([
  ['killed', ['SIGKILL']],
  ['told twice to stop', ['SIGINT', 'SIGINT']],
] as const)(
  'a run that is %s while orders lie at the service is resumed, and nobody is paid twice',
  async (_, signals) => {
    const { desk, service, orders, next } = await openSlowOffice({});
    const child = new Child(desk, ['run', 'pay.csv', ...totals, '--json']);
    // They leave one by one: the others wait for the answer to the first.
    await until(() => orders() === 1);
    for (const [index, signal] of signals.entries()) {
      // Two signals that come at once are one.
      await until(() => index === 0 || child.stderr.includes('Stopping'));
      child.kill(signal);
    }
    await child.end();
    expect(service.books().orders).toEqual([]);

    next();
    const told = await desk.emit(['resume']);

    expect(told).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
    expect(orders()).toBe(ROWS);
    expect(new Set(paidTraces(service.books())).size).toBe(ROWS);
    expect(paidTraces(service.books())).toHaveLength(ROWS);
  },
);

test.each([['run', 'pay.csv', ...totals], ['resume'], ['doctor']])(
  'silence that ends while a request may still be under way is refused: %s',
  async (...argv) => {
    const { desk, service, orders } = await openSlowOffice({
      sending: {},
      inDoubt: { unknownGapMs: 50, quietMs: 100 },
    });
    const told = await desk.emit(argv);
    expect(told.exit).toBe(2);
    expect(told.stdout).toMatch(/profiles\.env\.inDoubt\.quietMs is 100 and .*requestTimeoutMs.* is 30000/);
    expect(orders()).toBe(0);
    expect(service.books().tokenRequests).toBe(0);
  },
);
