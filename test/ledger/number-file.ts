import { NumberFile } from '../../src/ledger/sorted-numbers.ts';
import { openTemporary } from '../../src/ledger/sqlite.ts';

/** Does something with numbers on a temporary file, and removes it. */
export function inTemporary<T>(work: (file: NumberFile) => T): T {
  const connection = openTemporary();
  try {
    return work(new NumberFile(connection));
  } finally {
    connection.close();
  }
}
