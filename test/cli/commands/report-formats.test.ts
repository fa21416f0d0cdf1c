import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people, resultsIn } from '../../support/desk/payroll-sheet.ts';
import { fastClock } from '../../support/fast-clock.ts';

const clock = fastClock();

/** Endings of the practice service: paid, rejected, timed out, refused, failed; the last phone is none. */
const endings = ['0055', '0055', '0055', '0001', '0002', '0004', '0008', ''];

const cents = (decimal = ''): bigint => BigInt(decimal.replace(/[.,]/g, '') || '0');
const sum = (decimals: readonly (string | undefined)[]): bigint =>
  decimals.reduce((total, decimal) => total + cents(decimal), 0n);

test('every format of a run says what was paid and charged as the books of the service say it', async () => {
  const desk = await openDesk(clock);
  const lines = people(endings.length).map((line, index) => ({ ...line, phone: `+25471${index}00${endings[index]}` }));
  await desk.write('pay.csv', csvOf(lines));
  await desk.writeConfig({ journal: { accounts: { kinds: { wallet: '0400' }, fees: 'Charges' } } });
  const { end, exit } = await desk.emit(['run', 'pay.csv', '--skip-invalid', '1']);
  expect(exit).toBe(7);
  const { events } = await desk.emit(['sandbox', 'books']);
  const { books } = events.find(({ type }) => type === 'sandbox.books') as unknown as {
    readonly books: Readonly<Record<'paid' | 'fees', Readonly<Record<string, string>>>>;
  };
  const [paid, fees] = [cents(books.paid['KES']), cents(books.fees['KES'])];
  expect(paid).toBe(sum(lines.slice(0, 3).map(({ amount }) => amount)));
  expect(end.amounts).toEqual([expect.objectContaining({ currency: 'KES' })]);
  expect([cents(end.amounts[0]?.['completed']), cents(end.amounts[0]?.['fees'])]).toEqual([paid, fees]);

  const fileOf = async (format: string): Promise<string> =>
    (await desk.emit(['report', '--format', format])).end.files[0]?.path ?? '';
  const textOf = async (format: string): Promise<string> => readFile(await fileOf(format), 'utf8');

  const workbook = (await resultsIn(await fileOf('xlsx'))).filter(({ Outcome }) => Outcome === 'Completed');
  expect(workbook).toHaveLength(3);
  const csv = (parse(await textOf('csv'), { bom: true, columns: true }) as Readonly<Record<string, string>>[]).filter(
    ({ Outcome }) => Outcome === 'Completed',
  );
  expect([sum(csv.map(({ Amount }) => Amount)), sum(csv.map((row) => row['Fee charged']))]).toEqual([paid, fees]);

  const records = (await textOf('jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(new Set(records.map(({ outcome }) => outcome)).size).toBe(6);
  expect(sum(records.map(({ debit }) => debit))).toBe(paid + fees);

  const journal = parse(await textOf('journal'), { columns: true }) as Readonly<Record<string, string>>[];
  const booked = (account: string, side: string) =>
    sum(journal.filter(({ Account }) => Account === account).map((line) => line[side]));
  expect(booked('0400', 'Debit')).toBe(paid);
  expect(booked('Charges', 'Debit')).toBe(fees);
  expect(booked('Mobile money wallet', 'Credit')).toBe(paid + fees);

  expect((await textOf('slips')).match(/<article/g)).toHaveLength(3);
  const page = await textOf('html');
  expect(page.match(/<tr data-outcome="completed"/g)).toHaveLength(3);
  expect(page.match(/<tr data-outcome="/g)).toHaveLength(endings.length);
});
