/** What leaves by mail when a batch was paid unattended: the workbook for those who are named for it, figures for all others. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { configure } from '../../support/desk/approval-desk.ts';
import { openOffice } from '../../support/desk/live-office.ts';
import { mailServer } from '../../support/desk/mail-server.ts';
import { csvOf, people, totalOf } from '../../support/desk/payroll-sheet.ts';

const [FINANCE, AUDIT] = ['finance@acme.example', 'audit@acme.example'];
const totals = ['--expect-count', '2', '--expect-total', totalOf(2)];

/** Pays two people with nobody at a terminal, and gives the letters that were sent with the file that was written. */
async function paidAndMailed(mail: object) {
  const office = await openOffice();
  const { url, lines } = await mailServer();
  const told = { server: url, from: 'paybatch@acme.example', to: [FINANCE, AUDIT], ...mail };
  await configure(office, undefined, { profile: { notify: { mail: told } } });
  await office.desk.write('pay.csv', csvOf(people(2)));
  const { end } = await office.desk.emit(['run', 'pay.csv', '--batch', 'november', ...totals]);
  expect(end.exit).toBe(0);
  const workbook = end.files.find(({ kind }) => kind === 'results')?.path ?? '';
  const letters = lines
    .join('\n')
    .split(/^MAIL FROM.*$/m)
    .slice(1);
  return { letters, workbook };
}

describe('the results workbook', () => {
  test('is attached for those who are named for it, and for nobody else', async () => {
    const { letters, workbook } = await paidAndMailed({ resultsTo: [AUDIT] });
    const finished = letters.filter((letter) => letter.includes('is paid'));
    expect(finished).toHaveLength(2);
    const [plain = '', full = ''] = finished;
    expect(plain).toContain(`RCPT TO:<${FINANCE}>`);
    expect(plain).not.toContain(AUDIT);
    expect(plain).not.toMatch(/attach/i);
    expect(full).toContain(`RCPT TO:<${AUDIT}>`);
    expect(full).not.toContain(`RCPT TO:<${FINANCE}>`);
    expect(full).toContain(`filename=${path.basename(workbook)}`);
    const [, encoded = ''] = /base64\n[^\n]*attachment[^\n]*(?:\n [^\n]*)*\n\n(.*?)\n--/s.exec(full) ?? [];
    expect(Buffer.from(encoded, 'base64').equals(await readFile(workbook))).toBe(true);
    // The news that it is being sent goes to both, as there is no workbook yet.
    const sent = letters.filter((letter) => letter.includes('is being sent'));
    expect(sent).toHaveLength(1);
  });

  test('stays here unless somebody is named for it', async () => {
    const { letters, workbook } = await paidAndMailed({});
    expect(letters).toHaveLength(2);
    expect(letters.join('')).not.toMatch(/attachment|spreadsheetml/);
    expect(letters.join('')).not.toContain(path.basename(workbook));
    expect(letters.join('')).not.toContain('Person 1');
  });

  test('goes to nobody who is not told otherwise', async () => {
    const office = await openOffice();
    const mail = { server: 'smtp://127.0.0.1:1', from: 'paybatch@acme.example', to: [FINANCE], resultsTo: [AUDIT] };
    await configure(office, undefined, { profile: { notify: { mail } } });
    const said = await office.desk.emit(['notify', 'test']);
    expect(said).toMatchObject({ exit: 2, fault: { code: 'configuration' } });
    expect(JSON.stringify(said.fault)).toContain('resultsTo');
  });
});
