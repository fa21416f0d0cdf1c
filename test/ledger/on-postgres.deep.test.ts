/** What `npm test` shows of ledgers in a file, of ledgers on PostgreSQL: the same tests once more. */
import { describe } from 'vitest';
import { onPostgresAlone } from './drivers.ts';

onPostgresAlone();

const files = ['first-rows', 'payees', 'account-binding', 'runs'] as const;

for (const file of files) {
  describe(file, async () => {
    await import(`./${file}.test.ts`);
  });
}
