import { describe, test } from 'vitest';
import { sheetCases } from '../../fixtures/sheets/cases/index.ts';
import { expectSameInCopy, isHandedBack } from '../../support/sheets/uncorrected-copy.ts';

describe('a checked copy that nobody corrects has the problems of its sheet, at the same cells', () => {
  test.each(sheetCases.filter(isHandedBack))('$rule: $name', expectSameInCopy);
});
