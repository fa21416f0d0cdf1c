import { test } from 'vitest';
import { expectNoFailures } from './fuzzed-sheets.ts';

test('sheets made false on purpose end as rows, problems or a fault, and what is ready has the total that others see', () =>
  expectNoFailures(60, 10));
