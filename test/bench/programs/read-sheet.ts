/** Our reader alone: every cell of a sheet, block by block. `read-sheet.ts FILE`. */
import { openSheet } from '../../../src/sheet/open-sheet.ts';

const sheet = await openSheet(process.argv[2] ?? '');
let cells = 0;
for await (const block of sheet.rows()) for (const row of block) cells += row.cells.length;
await sheet.close();
process.stdout.write(`${cells}\n`);
