/**
 * Run in a process of its own, so that a test can take the disk away from it: writes a workbook with so many rows to a
 * path, and prints what came of it. Arguments: path, rows.
 */
import { Fault } from '../../../src/domain/fault.ts';
import { writeWorkbook } from '../../../src/sheet/writing/workbook-writer.ts';

const [path = '', rows = '1'] = process.argv.slice(2);
const options = { title: 'One', footer: 'one', printedAt: 0, timezone: 'UTC' };
try {
  const written = await writeWorkbook(path, options, (book) =>
    book.sheet({ name: 'One', table: false, columns: [{ width: 10, format: 'text' }] }, async (sheet) => {
      for (let row = 0; row < Number(rows); row++) await sheet.row([crypto.randomUUID()]);
    }),
  );
  process.stdout.write(JSON.stringify({ written }));
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  process.stdout.write(JSON.stringify({ fault: error.code, exit: error.exit, remedy: error.remedy }));
}
