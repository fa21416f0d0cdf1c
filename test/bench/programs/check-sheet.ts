/** What `validate` is held against: `node test/bench/programs/check-sheet.ts FILE` reads and checks a sheet as the script does. */
import { scriptRows } from './script-rows.ts';

const [file = ''] = process.argv.slice(2);
process.stdout.write(`${(await scriptRows(file)).length} rows\n`);
