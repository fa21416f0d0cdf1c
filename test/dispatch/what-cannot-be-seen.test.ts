/**
 * What no run can see, as the README lists it under "When in doubt": somebody is paid twice here, where the service carries out
 * what is repeated. A test that fails because nobody is any more is good news: the README promises too little then.
 */
import { rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DispatchSettings } from '../../src/dispatch/dispatch.ts';
import type { RunEvent } from '../../src/domain/event.ts';
import { systemClock } from '../../src/system.ts';
import { paidTraces, quickProfile } from '../support/desk/account.ts';
import { openOffice, pay } from '../support/desk/live-office.ts';
import { people } from '../support/desk/payroll-sheet.ts';
import { sendJson } from '../support/loopback.ts';
import { type Batch, open, ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { answered, handMadeService } from './hand-made-service.ts';
import { planStrict, strictService } from './send-once-batch.ts';

const ROWS = 6;

/** Every order as it was recorded, by a run that the ledger does not remember because a snapshot of it was put back. */
async function bodiesOf(batch: Batch): Promise<readonly string[]> {
  const ledger = await open(batch.path, systemClock);
  const orders = await ledger.unsentOrders(batch.header.id, ROWS);
  await ledger.close();
  return orders.map(({ body }) => body);
}

const send = ({ url }: { readonly url: string }, bodies: readonly string[], path = 'payment-order/new-order') =>
  Promise.all(bodies.map((body) => fetch(`${url}/v1/${path}`, { method: 'POST', body })));

/** A run, with the codes of what it told. */
async function runOf(batch: Batch, { url }: { readonly url: string }, settings: DispatchSettings, lookFirst = false) {
  const notices: string[] = [];
  const emit = (event: RunEvent): void => void (event.type === 'notice' && notices.push(event.code ?? ''));
  const { counts } = await batch.run(url, { settings, emit, lookFirst });
  return { counts, notices };
}

const impatient = quick({ polling: { deadlineMs: 300 } });

function unknown(response: ServerResponse, id: string) {
  sendJson(response, 404, { id, idType: 'OriginatorConversationId', message: `${id} not found` });
  return answered;
}

function unclear(response: ServerResponse) {
  sendJson(response, 500, { text: 'Object reference not set to an instance of an object' });
  return answered;
}

describe('a snapshot that was put back is not seen', () => {
  test('while its payments are still on their way', () =>
    inTemporaryFolder(async (folder) => {
      let late: readonly string[] = [];
      const service = await handMadeService({
        onPost() {
          // The first payments are through by then, and all of the smallest ids were asked for once more.
          if (service.posts().length <= 3) return undefined;
          const arriving = late;
          late = [];
          return void send(service, arriving);
        },
      });
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      late = await bodiesOf(batch);
      const { counts, notices } = await runOf(batch, service, quick({ inDoubt: { quietMs: 60_000 } }));
      expect({ completed: counts.completed, notices }).toEqual({ completed: ROWS, notices: [] });
      expect(service.posts()).toHaveLength(2 * ROWS);
    }));

  test('where look-ups do not show what was sent', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService({ onFind: (id, response) => unknown(response, id) });
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      await send(service, await bodiesOf(batch));
      const { notices } = await runOf(batch, service, impatient);
      expect(notices).toContain('look-ups-lag');
      expect(service.posts()).toHaveLength(2 * ROWS);
    }));

  test('where look-ups give no clear answer at all, and people are told', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService({
        // It shows what was sent twice: then the damage is done.
        onFind: (id, response) =>
          service.posts().filter((one) => one === id).length < 2 ? unclear(response) : undefined,
      });
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      await send(service, await bodiesOf(batch));
      const { counts, notices } = await runOf(batch, service, quick({ inDoubt: { quietMs: 60_000 } }));
      expect({ completed: counts.completed, notices }).toEqual({ completed: ROWS, notices: ['no-unknown-form'] });
      expect(service.posts()).toHaveLength(2 * ROWS);
    }));

  test('where all that is left is airtime', () =>
    inTemporaryFolder(async (folder) => {
      const service = await strictService();
      const { batch } = await planStrict(folder, 'airtime', ROWS);
      await send(service, await bodiesOf(batch), 'airtime-purchase');
      const { notices } = await runOf(batch, service, impatient);
      expect(notices).toEqual([]);
      expect(service.posts()).toHaveLength(2 * ROWS);
    }));
});

test('a payment is called refused that the service took, where it says so and shows nothing of it', () =>
  inTemporaryFolder(async (folder) => {
    const service = await handMadeService({
      onPost(_order, response) {
        sendJson(response, 400, { errors: { Amount: ['too small'] } });
        return answered;
      },
    });
    const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
    expect((await runOf(batch, service, quick({}))).counts.refused).toBe(ROWS);
  }));

test('after a loss, a payment is made again that the service has forgotten', () =>
  inTemporaryFolder(async (folder) => {
    let old: ReadonlySet<string> = new Set();
    const forgets = (id: string) => old.has(id) && service.posts().filter((one) => one === id).length === 1;
    const service = await handMadeService({
      onFind: (id, response) => (forgets(id) ? unknown(response, id) : undefined),
    });
    const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
    await send(service, await bodiesOf(batch));
    old = new Set(batch.orders);
    const { counts, notices } = await runOf(batch, service, quick({}), true);
    expect({ completed: counts.completed, notices }).toEqual({ completed: ROWS, notices: [] });
    expect(service.posts()).toHaveLength(2 * ROWS);
  }));

test('a snapshot is seen where only payments that the service does not hold get no clear answer', () =>
  inTemporaryFolder(async (folder) => {
    const service = await handMadeService({
      onFind: (id, response) => (service.taken.has(id) ? undefined : unclear(response)),
    });
    const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
    await send(service, await bodiesOf(batch));
    const { notices, counts } = await runOf(batch, service, quick({}));
    expect({ completed: counts.completed, notices }).toEqual({ completed: ROWS, notices: ['ledger-behind'] });
    expect(service.posts()).toHaveLength(ROWS);
  }));

test('two computers that begin in one moment with a sheet of one payment both make it, where the service carries out what is repeated', () =>
  inTemporaryFolder(async (folder) => {
    const areSent = (id: string): boolean => service.posts().filter((one) => one === id).length === 2;
    const service = await handMadeService({
      // One moment: nothing is shown that only one of them has sent.
      onFind: (id, response) => (areSent(id) ? undefined : unknown(response, id)),
    });
    const payees = ordinaryPayees(1);
    const [here, there] = [
      await planBatch(join(folder, 'here'), { payees }),
      await planBatch(join(folder, 'there'), { payees }),
    ];
    const both = await Promise.all(
      [here, there].map((batch) => runOf(batch, service, quick({ inDoubt: { quietMs: 60_000 } }))),
    );
    const end = { completed: 1, notices: [] };
    expect(both.map(({ counts, notices }) => ({ completed: counts.completed, notices }))).toEqual([end, end]);
    expect(service.posts()).toHaveLength(2);
  }));

test.each([
  ['without their references', { reference: '' }, {}],
  ['from an account that seems to be another one', {}, { idNamespace: 'acme-2' }],
])('after a loss, payments are made again that are identified otherwise: %s', async (_, change, account) => {
  const { desk, service } = await openOffice('settle-min=5,settle-max=10,duplicates=execute');
  const env = quickProfile(service.routes, 40_000);
  await desk.writeConfig({ profiles: { env } });
  expect((await pay(desk, people(2))).exit).toBe(0);
  await rm(desk.home, { recursive: true });
  await desk.writeConfig({ profiles: { env: { ...env, ...account } } });
  const rows = people(2).map((row) => ({ ...row, ...change }));
  expect((await pay(desk, rows)).exit).toBe(0);
  expect(paidTraces(service.books())).toHaveLength(4);
});

test('after a loss, a row is not recognised that was sent in an order whose first row is in the sheet no more', () =>
  inTemporaryFolder(async (folder) => {
    const service = await handMadeService();
    const [first = '', second = '', other = ''] = ordinaryPayees(3);
    const lost = await planBatch(join(folder, 'lost'), { payees: [first, second], linesPerOrder: 2 });
    await send(service, await bodiesOf(lost));
    const batch = await planBatch(join(folder, 'new'), { payees: [other, second] });
    const { counts, notices } = await runOf(batch, service, quick({}), true);
    expect({ completed: counts.completed, notices }).toEqual({ completed: 2, notices: [] });
    const paid = [...service.taken.values()].flatMap(({ paymentOrderLines }) =>
      paymentOrderLines.map((line) => line.recipient.primaryAccountNumber),
    );
    expect(paid.toSorted()).toEqual([first, second, second, other].toSorted());
  }));
