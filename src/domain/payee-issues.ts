/** What a sheet is warned with when the holders of its accounts are not who it says; rows of the issue table. */
export const payeeIssues = {
  'PB-PAYEE-CLOSE': {
    level: 'warning',
    says: 'The holder of {payee} is "{holder}", which is close to "{value}" but not the same.',
    fix: 'Check that this is the same person, and write the name as the account has it.',
  },
  'PB-PAYEE-NO-MATCH': {
    level: 'warning',
    says: 'The holder of {payee} is "{holder}", not "{value}".',
    fix: 'Find out whose account it is and correct the row; --accept-no-match goes on with such rows by their exact count.',
  },
  'PB-PAYEE-NOT-POSSIBLE': {
    level: 'warning',
    says: 'Nobody could say whether {payee} belongs to "{value}"{hint}.',
    fix: 'Make sure in another way, for example by asking the payee, before you pay.',
  },
} as const;
