/** Checks a sheet and nothing else: no service, no ledger. Every problem is told at its cell, here in two languages. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type Issue, issueFix, issueMessage, validateSheet } from 'paybatch';
import { settings, sheetOf } from './practice.ts';

const sheet = await sheetOf([
  'reference,name,phone,amount',
  'E-1,Amina Otieno,0712000777,1500.50',
  'E-2,Brian Mwangi,07220007,900',
  'E-3,Chausiku Juma,0733000777,1.500',
]);

const problems: Issue[] = [];
const end = await validateSheet(
  { sheet, reading: {}, allowIdentical: 0 },
  {
    settings,
    emit: (event) => {
      if (event.type === 'row.problem') problems.push(event.issue);
    },
  },
);
// 3: the sheet is refused. A corrected copy can be paid as it is.
console.log(`checked: exit ${end.exit}, ${problems.length} problems`);
for (const issue of problems) {
  console.log(`${issue.cell}: ${issueMessage(issue)} ${issueFix(issue)}`);
  console.log(`${issue.cell}: ${issueMessage(issue, 'sw')}`);
}
for (const { kind, path: file } of end.files) console.log(`${kind}: ${path.basename(file)}`);

await rm(path.dirname(sheet), { recursive: true });
