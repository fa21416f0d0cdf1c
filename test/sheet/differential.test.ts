import { beforeEach, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { hasXlsxwriter, pythonWithOpenpyxl } from '../support/second-readers/python.ts';
import { expectAgreement } from './reader-agreement.ts';

beforeEach(needs(pythonWithOpenpyxl !== undefined && hasXlsxwriter, 'python3 with openpyxl and xlsxwriter'));

test('four programs write twenty workbooks, and three readers agree on every cell but for the listed faults of others', () =>
  expectAgreement({ workbooks: 20, compared: 400 }));
