/** Changes that no test can notice, because the program does the same with them. Everything else has to be noticed. */
export interface KeptMutant {
  readonly file: string;
  /** The text that is changed, on one line. */
  readonly was: string;
  /** What it may be changed into, once in the file. */
  readonly is: string;
  readonly because: string;
}

const decision = 'src/dispatch/decision.ts';
const money = 'src/domain/money.ts';
const answer = 'src/service/client/answer-json.ts';
const NO_TIME =
  'the compiler asks; a time that is missing makes NaN, which is never long enough ago, and no time to wait for';
const A_BUG = 'it is the text of a bug that nothing can cause';
const LIKE_ITS_CODE = 'it is like enough to its code to be led there all the same';

export const keptMutants: readonly KeptMutant[] = [
  { file: decision, was: 'lastUnknownAt === undefined', is: 'false', because: NO_TIME },
  { file: decision, was: 'provenAt !== undefined', is: 'true', because: NO_TIME },
  { file: decision, was: 'state.firstUnknownAt === undefined', is: 'false', because: NO_TIME },
  { file: decision, was: 'believed === undefined', is: 'false', because: NO_TIME },
  {
    file: decision,
    was: 'state.firstUnknownAt === undefined || believed === undefined',
    is: 'false',
    because: NO_TIME,
  },
  {
    file: decision,
    was: 'state.firstUnknownAt === undefined || believed === undefined',
    is: 'state.firstUnknownAt === undefined && believed === undefined',
    because: NO_TIME,
  },
  {
    file: decision,
    was: 'default: return unreachable(step);',
    is: 'default:',
    because: 'the compiler asks for the word; there is no other step',
  },
  {
    file: 'src/batch/plan-orders.ts',
    was: 'staging.identicalRows().length > 0',
    is: 'true',
    because: 'it spares memory: in a sheet without identical rows each of them occurs once',
  },
  {
    file: 'src/batch/plan-orders.ts',
    was: 'staging.identicalRows().length > 0',
    is: 'staging.identicalRows().length >= 0',
    because: 'it spares memory: in a sheet without identical rows each of them occurs once',
  },
  {
    file: 'src/batch/plan-orders.ts',
    was: '!this.#counted',
    is: 'false',
    because: 'it spares memory: in a sheet without identical rows each of them occurs once',
  },
  {
    file: 'src/domain/order-line.ts',
    was: 'report !== undefined',
    is: 'true',
    because: 'the compiler asks for it; a report that is missing has no word',
  },
  {
    file: 'src/domain/currency.ts',
    was: "''",
    is: '"Stryker was here!"',
    because: 'the compiler asks for it; each match of the table has a code',
  },
  {
    file: 'src/batch/plan-orders.ts',
    was: 'line?.row',
    is: 'line.row',
    because: 'the compiler asks for it; every order has a line',
  },
  {
    file: 'src/batch/plan-orders.ts',
    was: "'an order has a line for each of its payouts'",
    is: '""',
    because: A_BUG,
  },
  {
    file: 'src/batch/plan-orders.ts',
    was: "'no sheet is planned while its rows lack settings'",
    is: '""',
    because: A_BUG,
  },
  {
    file: 'src/dispatch/journal.ts',
    was: "'every order of a group comes back from the ledger'",
    is: '""',
    because: A_BUG,
  },
  {
    file: 'src/domain/order-line.ts',
    was: 'default: return undefined;',
    is: 'default:',
    because: 'the compiler asks for the word; a function that ends without it returns the same',
  },
  {
    file: 'src/domain/result-code.ts',
    was: "''",
    is: '"Stryker was here!"',
    because: 'neither of them is a code of the table',
  },
  {
    file: 'src/service/client/verdict.ts',
    was: 'isTaken && operation.ownProblem === undefined',
    is: 'false',
    because: 'no error body is read in vain; none that is read has the shape of one that is not there',
  },
  {
    file: money,
    was: '/(?<!\\.\\d*)\\B(?=(\\d{3})+(?!\\d))/g',
    is: '/(?<!\\.\\d)\\B(?=(\\d{3})+(?!\\d))/g',
    because: 'would differ for a currency of five decimals; ISO 4217 has none of more than four',
  },
  { file: 'src/domain/currency.ts', was: "'KSHS'", is: '""', because: LIKE_ITS_CODE },
  { file: 'src/domain/currency.ts', was: "'TSHS'", is: '""', because: LIKE_ITS_CODE },
  {
    file: money,
    was: 'minor > LARGEST_MINOR',
    is: 'minor >= LARGEST_MINOR',
    because: 'the largest amount is exact, and was read before',
  },
  {
    file: money,
    was: 'shiftedUp >= 0',
    is: 'shiftedUp > 0',
    because: 'ten to the power of nothing is one: multiplied or divided by it, the digits are the same',
  },
  {
    file: answer,
    was: 'at < json.length',
    is: 'at <= json.length',
    because: 'the end of a text has no character code (NaN), which is none of those that are looked for',
  },
];
