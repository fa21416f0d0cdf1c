/** What an approver says to a plan, from the signature to the results and the evidence. */
import { readFile, writeFile } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { makePlan, openApprovalOffice } from '../../support/desk/approval-desk.ts';
import { people } from '../../support/desk/payroll-sheet.ts';

const NOTE = 'checked against the contracts';

test('a note on an approval is signed, and stands in the Audit sheet and the evidence pack', async () => {
  const { desk } = await openApprovalOffice();
  const plan = await makePlan({ desk }, people(2), '--key', 'mary.key');
  const told = await desk.emit(['approve', plan, '--key', 'jane.key', '--note', `  ${NOTE}\n`]);
  expect(told.events).toContainEqual(expect.objectContaining({ type: 'plan-approved', name: 'jane', note: NOTE }));
  const [approval] = told.end.files;
  const text = await readFile(approval?.path ?? '', 'utf8');
  expect(JSON.parse(text)).toMatchObject({ decision: 'approved', note: NOTE });

  // Another word in its place is not what she signed.
  await writeFile(approval?.path ?? '', text.replace('contracts', 'invoices'));
  const changed = await desk.emit(['apply', plan]);
  expect(changed.exit).toBe(8);
  expect(JSON.stringify(changed.fault)).toContain('jane.approval.json: is not as it was signed');
  await writeFile(approval?.path ?? '', text);
  const applied = await desk.emit(['apply', plan]);
  expect(applied.exit).toBe(0);

  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(applied.end.files.find(({ path }) => path.endsWith('.xlsx'))?.path ?? '');
  const audit: string[] = [];
  book.getWorksheet('Audit')?.eachRow((row) => void audit.push(row.values.toString()));
  expect(audit.find((line) => line.includes('Plan approved by'))).toMatch(new RegExp(`jane at .*: ${NOTE}$`));

  const packed = await desk.emit(['report', 'november', '--format', 'pack']);
  const pack = packed.end.files[0]?.path ?? '';
  expect(await desk.emit(['verify', pack])).toMatchObject({ exit: 0 });
});

test('a note that is empty or too long signs nothing', async () => {
  const { desk } = await openApprovalOffice();
  const plan = await makePlan({ desk }, people(1), '--key', 'mary.key');
  for (const note of [' \t', 'x'.repeat(301)]) {
    const said = await desk.emit(['approve', plan, '--key', 'jane.key', '--note', note]);
    expect(said, note).toMatchObject({ exit: 2, end: { files: [] } });
  }
});
