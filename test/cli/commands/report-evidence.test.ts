import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';
import { fastClock } from '../../support/fast-clock.ts';

const clock = fastClock();

test('evidence of a row has what was sent and answered, and nothing of the others that its order paid', async () => {
  const desk = await openDesk(clock);
  // The third is timed out by the service; three share an order.
  const lines = people(6).map((line, index) => (index === 2 ? { ...line, phone: '+254712340002' } : line));
  await desk.write('pay.csv', csvOf(lines));
  await desk.writeConfig({ profiles: { sandbox: { sending: { linesPerOrder: 3 } } } });
  const { end } = await desk.emit(['run', 'pay.csv']);
  expect(end.exit).toBe(7);
  await desk.emit(['resolve', end.batch ?? '', '--row', '4', '--not-paid', '--note', 'asked the bank']);

  const { end: written, exit } = await desk.emit(['report', '--format', 'evidence', '--row', '4']);
  const file = written.files[0]?.path ?? '';
  expect(exit).toBe(0);
  expect(path.basename(file)).toBe(`pay.SANDBOX-${end.batch}.row-4.evidence.results.html`);

  const page = await readFile(file, 'utf8');
  const [, json = ''] = /id="evidence">(.*?)<\/script>/.exec(page) ?? [];
  const { row, orders, facts, head } = JSON.parse(json);
  expect(row).toMatchObject({ row: 4, name: 'Person 3', amount: '1002.25', outcome: 'failed' });
  expect(orders).toEqual([
    expect.objectContaining({ id: row.order, attempt: 1, lines: 3, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }),
  ]);
  expect(JSON.parse(orders[0].body).paymentOrderLines).toHaveLength(1);
  expect(orders[0].body).toContain('+254712340002');
  const types = facts.map(({ type }: { readonly type: string }) => type);
  expect(types.slice(0, 3)).toEqual(['order-planned', 'order-claimed', 'order-answered']);
  expect(types).toContain('order-observed');
  expect(types.at(-1)).toBe('order-resolved');
  expect(facts.at(-1).details).toMatchObject({ Note: 'asked the bank' });
  expect(head.seq).toBeGreaterThanOrEqual(facts.at(-1).number);

  expect(page).toContain('Timed Out');
  expect(page).toContain(row.order);
  for (const [index, { name, phone, reference = '' }] of lines.entries()) {
    for (const text of [`${name}<`, phone.slice(1), `${reference}<`, `${reference}"`]) {
      expect(page.includes(text), `${text} of row ${index + 2}`).toBe(index === 2);
    }
  }
});

test('evidence shows what concerns the payment, and the whole row of the sheet only where it is asked for', async () => {
  const desk = await openDesk(clock);
  const rows = [
    'Staff No,Name,Phone,Net pay,HELB loan,Hold',
    'E1,Jane Wanjiku,0712345678,1500.25,777.77,',
    'E2,Ali Hassan,0722345678,900.50,888.88,on sick leave',
  ];
  await desk.write('pay.csv', rows.join('\n'));
  await desk.emit(['run', 'pay.csv']);
  const pageOf = async (...words: readonly string[]) => {
    const { end } = await desk.emit(['report', '--format', 'evidence', ...words]);
    return readFile(end.files[0]?.path ?? '', 'utf8');
  };
  const paid = await pageOf('--row', '2');
  for (const text of ['Jane Wanjiku', '+254712345678', 'KES 1,500.25', 'Receipt number', 'Completed at', 'Order id'])
    expect(paid).toContain(text);
  const held = await pageOf('--row', '3');
  for (const text of ['Ali Hassan', 'KES 900.50', 'Left out', 'on sick leave', 'nothing was sent'])
    expect(held).toContain(text);
  for (const page of [paid, held]) expect(page).not.toMatch(/HELB|777\.77|888\.88/);

  const whole = await pageOf('--row', '2', '--whole-row');
  for (const text of ['HELB loan', '777.77', 'The row of the sheet']) expect(whole).toContain(text);
  expect(whole).toContain('"heading":"HELB loan"');
});

test('evidence asks for a row that the batch has, and nothing else takes one', async () => {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', csvOf(people(1)));
  await desk.emit(['run', 'pay.csv']);
  const fault = async (...words: readonly string[]) => (await desk.emit(['report', ...words])).fault;
  expect(await fault('--format', 'evidence')).toMatchObject({ code: 'usage', message: 'Evidence is about one row.' });
  expect(await fault('--row', '2')).toMatchObject({ code: 'usage' });
  expect(await fault('--whole-row')).toMatchObject({ message: '--whole-row works only with --format evidence.' });
  expect(await fault('--format', 'evidence', '--row', '9')).toMatchObject({
    message: expect.stringContaining('has no row 9'),
  });
});
