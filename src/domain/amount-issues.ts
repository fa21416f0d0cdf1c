/** What can be wrong with an amount: a part of the issue table. */
export const amountIssues = {
  'PB-AMOUNT-MISSING': { level: 'error', says: 'The amount is empty.', fix: 'Type the amount, or delete the row.' },
  'PB-AMOUNT-ZERO': {
    level: 'error',
    says: 'The amount {value} is not more than zero.',
    fix: 'Type an amount above zero, or delete the row.',
  },
  'PB-AMOUNT-TEXT': {
    level: 'error',
    says: 'The amount "{value}" cannot be read as a number.',
    fix: 'Type digits with a point for the cents, for example 1500.50.',
  },
  'PB-AMOUNT-AMBIGUOUS': {
    level: 'error',
    says: 'The amount "{value}" can be read in two ways.',
    fix: 'Type it without separators, for example 1500.00; if the whole sheet parts thousands like this, add --decimals {mark}.',
  },
  'PB-AMOUNT-MARK': {
    level: 'error',
    says: 'The amount "{value}" has "{found}" before its cents, but this sheet is read with "{expected}" there.',
    fix: 'Write all amounts the same way, for example 1500.50; if the whole sheet has "{found}" there, add --decimals {mark}.',
  },
  'PB-AMOUNT-LARGE': {
    level: 'error',
    says: 'The amount {value} is too large.',
    fix: 'Check for a missing decimal point, or for digits of another column.',
  },
  'PB-AMOUNT-DECIMALS': {
    level: 'error',
    says: 'The amount {value} has more decimals than {currency} has.',
    fix: 'Type the amount with {exponent|decimal|decimals}; paybatch never rounds.',
  },
  'PB-AMOUNT-WHOLE': {
    level: 'error',
    says: 'The amount {value} has cents; this payment type takes whole {currency} only.',
    fix: 'Type a whole amount; paybatch never rounds.',
  },
  'PB-AMOUNT-STYLES': {
    level: 'error',
    says: 'The amounts are written in two ways: "{first}" in {firstCell} and "{value}" here.',
    fix: 'Write all of them the same way, with a point for the cents, for example 1234.50.',
  },
  'PB-AMOUNT-UNUSUAL': {
    level: 'warning',
    says: 'The amount {value} is more than {factor} times the middle amount of the sheet ({median}){hint}.',
    fix: 'Check that it is not a slip, for example a missing decimal point.',
  },
} as const;
