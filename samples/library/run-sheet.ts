/** A whole run by a program: check a sheet, pay it, follow it to its end, and write the results. At a practice service of its own. */
import path from 'node:path';
import { refreshBatch, reportBatch, runSheet, validateSheet } from 'paybatch';
import { openPractice, said, sheetOf } from './practice.ts';

const sheet = await sheetOf([
  'reference,name,phone,amount',
  'E-1,Amina Otieno,0712000777,1500.50',
  'E-2,Brian Mwangi,0722000777,900',
]);
const folder = path.dirname(sheet);
const { deps, close } = await openPractice(folder);

const request = { sheet, reading: {}, allowIdentical: 0, dryRun: false, batchName: 'salaries-2026-11' };
const checked = await validateSheet(request, deps);
console.log(`checked: exit ${checked.exit}, rows ${checked.counts.unsent}`);

console.log(`paid: ${said(await runSheet(request, deps))}`);

// The same sheet again is refused, whoever asks.
const again = await runSheet(request, deps);
console.log(`again: exit ${again.exit}`);

// What is not final is asked for again, an hour or a day later. Here everything is.
const batch = await deps.ledger.findBatchCalled('salaries-2026-11');
if (!batch) throw new Error('the ledger has no such batch');
console.log(`followed: ${said(await refreshBatch(batch, deps))}`);

for (const { kind, path: file } of await reportBatch(batch, deps, { folder, format: 'csv' })) {
  console.log(`${kind}: ${path.basename(file)}`);
}
await close();
