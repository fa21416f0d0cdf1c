/** Notes that are not sent, held against the orders that are planned of the same rows. */
import { describe, expect, test } from 'vitest';
import { planOrders } from '../../src/batch/plan-orders.ts';
import { namedBatchKey } from '../../src/domain/ids.ts';
import { languages } from '../../src/domain/language.ts';
import { issueMessage } from '../../src/texts/issue-message.ts';
import { check } from '../support/sheets/checked-sheet.ts';

const HEADINGS = ['Type', 'Name', 'Phone', 'Amount', 'Comment'];
const NOTES_OF_BATCH = 'Acme Ltd salaries-2026-11';

type Row = readonly [note: string, type?: string, phone?: string];
const sheetOf = (rows: readonly Row[]) => [
  HEADINGS,
  ...rows.map(([note, type = 'wallet', phone], at) => [
    type,
    `Person ${at}`,
    phone ?? `07${String(12_000_000 + at)}`,
    '5',
    note,
  ]),
];

async function checked(rows: readonly Row[], linesPerOrder: number) {
  const { issues, staging, checked: figures } = await check(sheetOf(rows), { linesPerOrder });
  const warned = issues.filter(({ code }) => code === 'PB-NOTE-SHARED');
  return { warned, cells: warned.map(({ cell }) => cell), staging, figures };
}

/** The cells of the notes that stand in no body, as the orders of these rows are planned. */
function cellsNotSent(staging: Awaited<ReturnType<typeof checked>>['staging'], linesPerOrder: number) {
  const blocks = [
    ...planOrders(staging, {
      namespace: 'acme',
      batchKey: namedBatchKey('salaries-2026-11'),
      linesPerOrder,
      notes: NOTES_OF_BATCH,
      routeOf: () => ({ routeId: 'route', channelType: 1, transactionTypeId: 'type' }),
      chargeOf: ({ amount }) => amount,
      callbackUrl: 'https://pay.example/reports',
    }),
  ];
  const bodies = new Map(blocks.flatMap(({ orders }) => orders.map(({ id, body }) => [id, body] as const)));
  return blocks.flatMap(({ rows }) =>
    rows
      .filter(({ payout, order }) => {
        const note = payout?.kind === 'wallet' && payout.note;
        return note && order && JSON.parse(bodies.get(order) ?? '').paymentNotes !== note;
      })
      .map(({ row }) => `E${row}`),
  );
}

describe('a note', () => {
  const thanks: Row = ['thanks'];
  const none: Row = [''];

  test.each<[string, readonly Row[], number, readonly string[]]>([
    ['of a row with an order of its own', [thanks, none], 1, []],
    ['that all rows of the order have', [thanks, thanks], 2, []],
    ['of the one row that is left over', [none, none, thanks], 2, []],
    ['of the one row that can be paid', [thanks, ['', 'wallet', '07']], 2, []],
    ['of airtime, which is told once for its column', [['thanks', 'airtime'], none], 2, []],
    ['beside a row without one', [thanks, none], 2, ['E2']],
    ['beside another', [thanks, none, none, ['sorry'], ['well done']], 2, ['E2', 'E5']],
    ['in an order that airtime passes by', [thanks, ['', 'airtime'], ['sorry']], 2, ['E2', 'E4']],
  ])('%s is warned of where it is not sent', async (_, rows, linesPerOrder, cells) => {
    const { cells: told, staging } = await checked(rows, linesPerOrder);
    expect(told).toEqual(cells);
    expect(cellsNotSent(staging, linesPerOrder)).toEqual(cells);
  });

  test('that is not sent is said with the heading, and stops nobody', async () => {
    const { warned, figures } = await checked([thanks, none], 50);
    expect(warned).toMatchObject([{ level: 'warning', row: 2, value: 'thanks' }]);
    expect(figures).toMatchObject({ payable: 2, errors: 0, warnings: 1 });
    const [found] = warned;
    expect(found && issueMessage(found)).toBe(
      'Comment "thanks" is not sent: the row shares its order with others (at most 50), and the order has one note for all.',
    );
    for (const language of languages) expect(found && issueMessage(found, language)).toMatch(/Comment "thanks".*50/);
  });

  test('that is not sent is named at most twenty times, and the last one says how many more there are', async () => {
    const rows = Array.from({ length: 503 }, (_, at): Row => [`note ${at}`]);
    const { cells, warned, staging } = await checked(rows, 50);
    expect(cells).toEqual(Array.from({ length: 20 }, (_, at) => `E${at + 2}`));
    const all = cellsNotSent(staging, 50);
    expect(all).toHaveLength(503);
    expect(warned.at(-1)?.parameters['hint']).toBe(`; there are ${all.length - 20} more like it`);
  });
});

test('a note of airtime is told once for its column, with how many rows it is about', async () => {
  const { issues, checked: figures } = await check(
    sheetOf([['for May', 'airtime'], ['', 'airtime'], ['for June', 'airtime'], ['for July']]),
  );
  expect(issues).toMatchObject([{ code: 'PB-NOTE-UNSENT', level: 'warning', cell: 'E2', parameters: { count: 2 } }]);
  expect(figures).toMatchObject({ payable: 4, warnings: 1 });
});
