/** A plan that was approved, in the hands of several processes: at once, killed in the middle, and with a state folder of its own. */
import { describe, expect, test } from 'vitest';
import { accountIn, openService, paidTraces } from '../support/desk/account.ts';
import { approvedBatch, configure, makeKey } from '../support/desk/approval-desk.ts';
import { Child } from '../support/desk/child.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { people, totalOf } from '../support/desk/payroll-sheet.ts';

const ROWS = 40;

/** A live desk on the machine's own clock, which child processes have too, with a plan of mary's that jane approved. */
async function openApproved() {
  const [desk, service] = [await openDesk(), await openService('slow=25,settle-min=50,settle-max=400')];
  desk.payBy(accountIn(service));
  const [, jane = ''] = [await makeKey({ desk }, 'mary'), await makeKey({ desk }, 'jane')];
  const approval = { makerKey: true, tiers: [{ above: { KES: '0' }, required: 1 }], approvers: { jane } };
  // Where answers are lost, two ledgers may repeat more than the anchors: a busy machine must not lose any.
  const patient = { sending: { concurrency: 2, requestTimeoutMs: 2000 }, inDoubt: { unknownGapMs: 50, quietMs: 4000 } };
  await configure({ desk, service }, approval, { profile: patient });
  const plan = await approvedBatch({ desk }, people(ROWS));
  return { desk, service, plan, apply: (env = {}) => new Child(desk, ['apply', plan, '--json'], env) };
}

type Approved = Awaited<ReturnType<typeof openApproved>>;

/** `repeatedMost`: orders that may have been posted twice under their one id, which the service pays once. */
function expectEverybodyPaidOnce({ service }: Approved, repeatedMost = 0): void {
  const books = service.books();
  expect(books.orders).toHaveLength(ROWS);
  expect(books.orders.filter(({ posts }) => posts !== 1).length).toBeLessThanOrEqual(repeatedMost);
  const paid = paidTraces(books);
  expect(paid).toHaveLength(ROWS);
  expect(new Set(paid).size).toBe(ROWS);
  expect(books.paid['KES']).toBe(totalOf(ROWS));
}

/** The anchors: two ledgers that begin within a second look them up before either has sent them. */
const ANCHORS = 3;

describe('a plan that was approved', () => {
  test('is paid by one of two processes that apply it at once', async () => {
    const office = await openApproved();
    const ends = await Promise.all([office.apply(), office.apply()].map((child) => child.end()));
    const exits = ends.map(({ exit }) => exit).toSorted((one, other) => one - other);
    expect(exits[0]).toBe(0);
    expect([8, 75]).toContain(exits[1]);
    expectEverybodyPaidOnce(office);
  });

  test('is not applied again after its process was killed, and resume needs nobody’s word for the rest', async () => {
    const office = await openApproved();
    const { desk, service, plan } = office;
    const child = office.apply();
    await child.until(/"type":"progress"/);
    child.kill('SIGKILL');
    expect((await child.end()).exit).toBe(-1);
    expect(service.books().orders.length).toBeLessThan(ROWS);
    const again = await desk.emit(['apply', plan]);
    expect(again).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
    expect(again.fault?.['fix']).toContain('paybatch resume november');
    expect(await desk.emit(['resume', 'november'])).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
    expectEverybodyPaidOnce(office);
    expect((await desk.say(['verify'])).exit).toBe(0);
  });

  test('pays everybody once, though a second state folder knows nothing of the first', async () => {
    const office = await openApproved();
    const { desk } = office;
    const elsewhere = { PAYBATCH_HOME: desk.path('home2'), PAYBATCH_KEYS: desk.path('keys2') };
    const ends = await Promise.all([office.apply(), office.apply(elsewhere)].map((child) => child.end()));
    for (const { exit } of ends) expect([0, 7]).toContain(exit);
    // Each may have seen what the other sent, and stopped for its sake: whoever goes on pays the rest.
    if (ends.every(({ exit }) => exit === 7))
      expect(await desk.emit(['resume', 'november'])).toMatchObject({ exit: 0 });
    expectEverybodyPaidOnce(office, ANCHORS);
  });
});
