/** The service has been seen to accept with 202, and to say little of an order: a run comes out the same. */
import { describe, expect, test } from 'vitest';
import { openDesk } from '../support/desk/command-line.ts';
import { csvOf, people, resultsIn } from '../support/desk/payroll-sheet.ts';
import { fastClock } from '../support/fast-clock.ts';

const clock = fastClock();

const ROWS = 12;

/** What a run under a scenario makes of the sheet. */
async function outcomeUnder(scenario: string) {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', csvOf([...people(ROWS), { name: 'Rejected', phone: '+254712340001', amount: '7.00' }]));
  const { end } = await desk.emit(['run', 'pay.csv', '--scenario', `settle-min=20,settle-max=120,${scenario}`]);
  const results = await resultsIn(end.files.find(({ kind }) => kind === 'results')?.path ?? '');
  return {
    exit: end.exit,
    rows: end.rows,
    amounts: end.amounts,
    outcomes: results.map((row) => row['Outcome']),
    receipts: results.filter((row) => /^[0-9A-Z]{10}$/.test(row['Receipt number'] ?? '')).length,
  };
}

describe('a run', () => {
  test('comes out the same whether records are full or thin, and acceptances 200 or 202', async () => {
    const plain = await outcomeUnder('');
    expect(plain).toMatchObject({ exit: 6, rows: { completed: ROWS, rejected: 1, inDoubt: 0 }, receipts: ROWS });
    for (const scenario of ['accept-status=202', 'sparse=1', 'sparse=0.5,accept-status=202']) {
      expect(await outcomeUnder(scenario), scenario).toEqual(plain);
    }
  });
});
