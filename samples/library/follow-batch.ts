/** A batch that one program left in the middle: another one goes on with it, follows it to its end, and writes the workbook. */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { refreshBatch, reportBatch, resumeBatch, runSheet } from 'paybatch';
import { openPractice, said, settings, sheetOf } from './practice.ts';

const sheet = await sheetOf([
  'reference,name,phone,amount',
  'E-1,Amina Otieno,0712000777,1500.50',
  'E-2,Brian Mwangi,0722000777,900',
]);
const folder = path.dirname(sheet);
// The service takes two seconds to pay, and a run of this program does not wait so long.
const practice = await openPractice(folder, 'settle-min=2000,settle-max=2000');
const deps = {
  ...practice.deps,
  settings: { ...practice.deps.settings, polling: { ...settings.polling, deadlineMs: 500 } },
};

// Stopped as Ctrl-C stops it, when all is recorded and nothing is sent.
const stop = new AbortController();
const stopped = await runSheet(
  { sheet, reading: {}, allowIdentical: 0, dryRun: false, batchName: 'salaries-2026-11' },
  {
    ...deps,
    signal: stop.signal,
    emit: (event) => {
      if (event.type === 'batch.planned') stop.abort();
    },
  },
);
console.log(`stopped: exit ${stopped.exit}, unsent ${stopped.counts.unsent}`);

// Another program finds it by its name. Never run the sheet under another one.
const batch = await deps.ledger.findBatchCalled('salaries-2026-11');
if (!batch) throw new Error('the ledger has no such batch');
let end = await resumeBatch(batch, deps);
console.log(`resumed: ${said(end)}`);

// 7: not everything is final. A real program asks again in an hour, and no more often than it needs to know.
while (end.exit === 7) {
  await delay(500);
  end = await refreshBatch(batch, deps);
}
console.log(`followed: ${said(end)}`);

for (const { kind, path: file } of await reportBatch(batch, deps, { folder })) {
  console.log(`${kind}: ${path.basename(file)}`);
}
await practice.close();
