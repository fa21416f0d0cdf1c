import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Books } from '../../src/sandbox/sandbox.ts';
import { paidTraces, quickWaits } from '../support/desk/account.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { csvOf, people, resultsIn, type SheetLine } from '../support/desk/payroll-sheet.ts';
import { fastClock } from '../support/fast-clock.ts';

const clock = fastClock();
const FLAKY_ROWS = 40;

/** Magic endings of phones and what a run makes of each. */
const endings = [
  // What is lost is proven absent beside one that is accepted later. The three that go ahead are drawn, so four that are accepted stand last.
  ['0005', 'Completed', 'No'],
  ['0006', 'Completed', 'No'],
  ['4321', 'Completed', 'No'],
  ['0004', 'Refused', 'Yes'],
  ['0001', 'Rejected', 'Yes'],
  ['0002', 'CHECK Timed out', 'Check first'],
  ['0007', 'CHECK In doubt', 'Check first'],
  ['0008', 'Failed', 'Yes'],
  ['0009', 'CHECK In doubt', 'Check first'],
] as const;

const expectedRows = {
  total: 9,
  completed: 3,
  rejected: 1,
  refused: 1,
  failed: 1,
  timedOut: 1,
  inDoubt: 2,
  pending: 0,
  unsent: 0,
  invalid: 0,
  leftOut: 0,
};

const everyEnding: readonly SheetLine[] = endings.map(([digits, says], index) => ({
  reference: `R-${index}`,
  name: says,
  phone: `+25471234${digits}`,
  amount: `${100 * (index + 1)}.00`,
}));

/** A desk whose sandbox gives up waiting after some seconds of the clock. */
async function impatientDesk(): Promise<Desk> {
  const desk = await openDesk(clock);
  await desk.writeConfig({
    profiles: {
      sandbox: {
        polling: { firstMs: 50, maxMs: 800, deadlineMs: 12_000 },
        ...quickWaits,
      },
    },
  });
  return desk;
}

test('a sheet with every ending gives every row its own outcome, tells people to resume and never to start again, and going on changes no final word', async () => {
  const desk = await impatientDesk();
  await desk.write('pay.csv', csvOf(everyEnding));

  const { exit, stderr, lines } = await desk.say(['run', 'pay.csv']);

  expect(exit).toBe(7);
  expect(stderr).toMatch(/do not run the sheet again/i);
  expect(stderr).toContain('paybatch resume');
  expect(stderr).toContain('SANDBOX');
  expect(lines).toEqual([expect.stringMatching(/\.results\.xlsx$/)]);
  const results = await resultsIn(lines[0] ?? '');
  expect(results.map((row) => [row['Outcome'], row['Pay again?']])).toEqual(
    endings.map(([, outcome, again]) => [outcome, again]),
  );
  for (const row of results) {
    expect(row['Receipt number'] === undefined).toBe(row['Outcome'] !== 'Completed');
    expect(row['Reason in plain words'] === undefined).toBe(row['Outcome'] === 'Completed');
  }

  const status = await desk.emit(['status']);
  expect(status.exit).toBe(7);
  expect(status.end.rows).toEqual(expectedRows);

  const resumed = await desk.emit(['resume']);
  expect(resumed.exit).toBe(7);
  expect(resumed.end.rows).toEqual(expectedRows);

  const { events } = await desk.emit(['sandbox', 'books']);
  const books = events.find(({ type }) => type === 'sandbox.books')?.['books'] as {
    readonly paid: Readonly<Record<string, string>>;
  };
  expect(books.paid['KES']).toBe('600.00');
  expect(resumed.end.amounts[0]?.['completed']).toBe('600.00');
});

test('rows that timed out beside rows that failed are named, and the others are retried', async () => {
  const desk = await impatientDesk();
  await desk.write('pay.csv', csvOf(everyEnding.filter(({ phone }) => /(4321|0001|0002|0008)$/.test(phone))));
  const { exit, stderr } = await desk.say(['run', 'pay.csv']);
  expect(exit).toBe(7);
  const [batch = ''] = /(?<=paybatch retry )\S+/.exec(stderr) ?? [];
  const says = (mark: string): string =>
    `Row 4 may have been paid: do not pay it again. Ask the provider about what timed out, and record the answer with ${mark}paybatch resolve ${batch} --row N --paid RECEIPT${mark} or ${mark}--not-paid --note TEXT${mark}; look again with: ${mark}paybatch status ${batch}${mark}. Deal with the reasons, then pay the failed rows again:`;
  expect(stderr.replace(/\s+/g, ' ')).toContain(`Next ${says('`')} paybatch retry ${batch}`);

  const html = await desk.emit(['report', '--format', 'html']);
  const page = await readFile(html.end.files[0]?.path ?? '', 'utf8');
  expect(page).toContain(says('&quot;'));
  expect((await desk.emit(['retry', batch])).end.rows).toMatchObject({ timedOut: 1 });
});

test('rows that are known unpaid, and nothing else, end a run with 6', async () => {
  const desk = await impatientDesk();
  await desk.write('pay.csv', csvOf(everyEnding.filter(({ phone }) => /(4321|0001|0004|0008)$/.test(phone))));
  const { exit, end } = await desk.emit(['run', 'pay.csv']);
  expect(exit).toBe(6);
  expect(end.rows).toMatchObject({ total: 4, completed: 1, rejected: 1, refused: 1, failed: 1 });
  const again = await desk.emit(['run', 'pay.csv']);
  expect(again.exit).toBe(8);
});

test('a service with faults of every sort pays everybody once all the same', async () => {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', csvOf(people(FLAKY_ROWS)));
  const scenario = ['--scenario', 'flaky,retry-after=0,seed=11'];
  let told = await desk.emit(['run', 'pay.csv', ...scenario]);
  // What was lost after all others needs the word of a person.
  for (let runs = 0; told.exit === 7 && runs < 5; runs++) {
    for (const row of await resultsIn(told.end.files[0]?.path ?? '')) {
      const words = ['--row', row['Row'] ?? '', '--never-arrived', '--note', 'ticket 4711'];
      if (row['Outcome'] === 'CHECK In doubt') await desk.emit(['resolve', told.end.batch ?? '', ...words]);
    }
    told = await desk.emit(['resume', ...scenario]);
  }
  expect(told).toMatchObject({ exit: 0, end: { rows: { total: FLAKY_ROWS, completed: FLAKY_ROWS } } });
  const { events } = await desk.emit(['sandbox', 'books']);
  const books = events.find(({ type }) => type === 'sandbox.books')?.['books'] as Books;
  expect(new Set(paidTraces(books)).size).toBe(FLAKY_ROWS);
  expect(paidTraces(books)).toHaveLength(FLAKY_ROWS);
});

describe('rows with errors', () => {
  const bad: SheetLine = { reference: 'BAD', name: 'Ann Atieno', phone: '07123456', amount: '10.00' };

  test('are set aside only when their exact number is given', async () => {
    const desk = await openDesk(clock);
    await desk.write('pay.csv', csvOf([...people(2), bad, { ...bad, reference: 'BAD-2' }]));

    for (const flags of [[], ['--skip-invalid', '1'], ['--skip-invalid', '3']]) {
      const refused = await desk.emit(['run', 'pay.csv', ...flags]);
      expect(refused).toMatchObject({ exit: 3, fault: { code: 'sheet-refused' } });
      expect(refused.fault?.['fix']).toContain('--skip-invalid 2');
    }

    const { exit, end } = await desk.emit(['run', 'pay.csv', '--skip-invalid', '2']);
    expect(exit).toBe(6);
    expect(end.rows).toMatchObject({ total: 4, completed: 2, invalid: 2 });
    expect(end.amounts[0]).toMatchObject({ planned: '2001.50', completed: '2001.50' });
    const results = await resultsIn(end.files[0]?.path ?? '');
    expect(results.map((row) => row['Outcome'])).toEqual(['Completed', 'Completed', 'Invalid', 'Invalid']);
  });

  test('refuse the sheet when nothing else is left to pay', async () => {
    const desk = await openDesk(clock);
    await desk.write('pay.csv', csvOf([bad]));
    expect((await desk.emit(['run', 'pay.csv', '--skip-invalid', '1'])).exit).toBe(3);
  });
});

describe('identical rows without a reference', () => {
  const twin: SheetLine = { name: 'Ann Atieno', phone: '+254712345655', amount: '250.00' };

  test('are paid only when the exact number of repetitions is acknowledged', async () => {
    const desk = await openDesk(clock);
    await desk.write('pay.csv', csvOf([twin, twin, twin]));
    for (const flags of [[], ['--allow-identical', '1'], ['--allow-identical', '3']]) {
      expect((await desk.emit(['run', 'pay.csv', ...flags])).exit).toBe(3);
    }
    const { exit, end } = await desk.emit(['run', 'pay.csv', '--allow-identical', '2']);
    expect(exit).toBe(0);
    expect(end.rows).toMatchObject({ total: 3, completed: 3 });
    expect(end.amounts[0]?.['completed']).toBe('750.00');
  });
});
