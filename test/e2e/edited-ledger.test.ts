/** Somebody who can write to the state folder edits the ledger of a live account with plain SQL. Nothing leaves by it. */
import { describe, expect, test } from 'vitest';
import { openDurable } from '../../src/database/sqlite.ts';
import { editTexts } from '../ledger/order-edits.ts';
import { paidTraces } from '../support/desk/account.ts';
import type { Desk } from '../support/desk/command-line.ts';
import { openOffice, pay, planOnly } from '../support/desk/live-office.ts';
import { people } from '../support/desk/payroll-sheet.ts';

const ROWS = 30;
const ATTACKER = '254799999999';

const changedFault = {
  code: 'ledger-unsafe',
  message: expect.stringContaining('Something other than paybatch changed the ledger'),
};

/** Edits the ledger behind the back of its runs; gives the rows that were changed. */
function edit(desk: Desk, sql: string): number {
  const raw = openDurable(desk.path('home', 'env', 'ledger.db'));
  raw.exec('PRAGMA ignore_check_constraints = ON');
  try {
    return raw.run(sql, []);
  } finally {
    raw.close();
  }
}

/** Every command that reads the batch stops, and says where. */
async function expectUnbelieved(desk: Desk, record: RegExp): Promise<void> {
  for (const command of ['resume', 'status', 'report', 'retry']) {
    const told = await desk.emit([command, ...(command === 'retry' ? ['pay'] : [])]);
    expect(told, command).toMatchObject({ exit: 10, fault: changedFault });
    expect(told.fault?.['message'], command).toMatch(record);
  }
  const verified = await desk.emit(['verify']);
  expect(verified.exit).toBe(10);
  expect(JSON.stringify(verified.events)).toMatch(record);
}

describe('a batch that was planned and not sent', () => {
  test('is not sent to another phone, though 27 of its 30 bodies name that one', async () => {
    const { desk, service } = await openOffice();
    await planOnly(desk, people(ROWS));
    const toAttacker = (text: string): string => text.replaceAll(/25471\d{7}/g, ATTACKER);
    const raw = openDurable(desk.path('home', 'env', 'ledger.db'));
    const changed = editTexts(raw, (texts, position) =>
      position > 3 ? { body: toAttacker(texts.body), origin: toAttacker(texts.origin) } : texts,
    );
    raw.close();
    expect(changed).toBe(27);
    await expectUnbelieved(desk, /order [0-9a-f-]{36}: differs from its facts in body/);
    expect(service.books().orders).toEqual([]);
  });

  test('is sent by a resume where nobody edited it', async () => {
    const { desk, service } = await openOffice();
    await planOnly(desk, people(3));
    expect((await desk.emit(['resume'])).exit).toBe(0);
    expect(paidTraces(service.books())).toHaveLength(3);
    expect((await desk.say(['verify'])).exit).toBe(0);
  });
});

describe('a batch that was paid', () => {
  test('is not paid again, though its orders were set back to planned and its rows to other people', async () => {
    const { desk, service } = await openOffice();
    expect((await pay(desk, people(3))).exit).toBe(0);
    edit(desk, `UPDATE pay_order SET phase = 'planned', outcome = 'unsent'`);
    await expectUnbelieved(desk, /differs from its facts in .*phase/);
    edit(desk, `UPDATE pay_order SET phase = 'settled', outcome = 'pending'`);
    edit(desk, `UPDATE payout SET payee = 'wallet|${ATTACKER}' || sheet_row, reference = NULL, name = 'Somebody'`);
    const told = await pay(desk, people(3), '--batch', 'again');
    expect(told).toMatchObject({ exit: 10, fault: changedFault });
    expect(paidTraces(service.books())).toHaveLength(3);
  });

  test('stays known where its last facts are gone', async () => {
    const { desk, service } = await openOffice();
    await pay(desk, people(3));
    expect(edit(desk, 'DELETE FROM fact WHERE seq = (SELECT MAX(seq) FROM fact)')).toBe(1);
    await expectUnbelieved(desk, /the head of the ledger is that of fact \d+/);
    expect(paidTraces(service.books())).toHaveLength(3);
  });
});
