import { test } from 'vitest';
import { expectEveryRowWritten } from './written-rows.ts';

test('the results of several blocks of rows lose none', async () => {
  await expectEveryRowWritten(1_100);
});
