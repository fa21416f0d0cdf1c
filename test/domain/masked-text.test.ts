import { expect, test } from 'vitest';
import { maskedText } from '../../src/domain/msisdn.ts';

test.each([
  ['Jane Wanjiku', 'J••• W••••••'],
  ["Aïcha N'Guessan-Li", "A•••• •'G••••••-••"],
  ['+254712345678', '+•••••••••678'],
  ['0712 345 678', '•••• ••• •••'],
  ['Till 512345', 'T••• •••345'],
  ['Equity Bank (68), account AB12X', 'E••••• B••• (••), a•••••• •••••'],
  ['王小明', '王••'],
  ['', ''],
])('"%s" is kept in the log as "%s"', (text, masked) => expect(maskedText(text)).toBe(masked));
