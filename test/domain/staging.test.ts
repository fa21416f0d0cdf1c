import { expect, test } from 'vitest';
import { comparedName } from '../../src/domain/staging.ts';

test.each([
  ['Pendo Achieng', "Pendo Achien'g"],
  ["Ng'ang'a Kamau", 'Kamau Nganga'],
  ['José Ñoño', 'JOSE  nono'],
  ['O\u2019Brien, Mary', "Mary O'Brien"],
])('%s is the same name as %s', (one, other) => expect(comparedName(one)).toBe(comparedName(other)));

test.each([
  ['Jane Wanjiku', 'Jane Wanjiru'],
  ['Jane Wanjiku', 'Jane'],
])('%s is another name than %s', (one, other) => expect(comparedName(one)).not.toBe(comparedName(other)));
