/** How each outcome is shown to people, and which of the summary's figures it counts to. One row, one outcome. */
import type { ResultRow } from '../domain/batch.ts';
import { type Outcome, outcomeTable } from '../domain/outcome.ts';
import type { LookName, StyledCell } from '../sheet/writing/workbook-writer.ts';

/** The parts that every sheet falls into. */
export type Part = 'paid' | 'not-paid' | 'to-check' | 'not-sent' | 'left-out';

interface OutcomeView {
  readonly look: LookName;
  readonly part: Part;
}

export const outcomeView = {
  completed: { look: 'good', part: 'paid' },
  rejected: { look: 'bad', part: 'not-paid' },
  refused: { look: 'bad', part: 'not-paid' },
  failed: { look: 'bad', part: 'not-paid' },
  'timed-out': { look: 'check', part: 'to-check' },
  'in-doubt': { look: 'check', part: 'to-check' },
  pending: { look: 'wait', part: 'to-check' },
  unsent: { look: 'muted', part: 'not-sent' },
  invalid: { look: 'bad', part: 'not-paid' },
  'left-out': { look: 'muted', part: 'left-out' },
} as const satisfies Record<Outcome, OutcomeView>;

/** An answer, and its cell: one that is the same object as in the row before is written without looking at it. */
interface PayAgain {
  readonly word: string;
  readonly cell: StyledCell;
}

const answer = (word: string, look: LookName): PayAgain => ({ word, cell: { value: word, look } });

const payAgainWords = {
  yes: answer('Yes', 'row'),
  no: answer('No', 'row'),
  ask: answer('Check first', 'check'),
} as const satisfies Record<string, PayAgain>;

/**
 * The answer to "may it be paid again?" as a word with its look. An earlier attempt with an alarm may have paid the row, and
 * so may a repetition at the service, the later batch that it was left out for, and a ledger before this one.
 */
export const payAgainOf = ({
  outcome,
  earlierAlarms = [],
  superseded,
  unconfirmed,
  line,
}: Pick<ResultRow, 'outcome' | 'earlierAlarms' | 'superseded' | 'unconfirmed' | 'line'>): PayAgain => {
  const { payAgain } = outcomeTable[outcome];
  const mayBePaid = [
    earlierAlarms.length > 0,
    line?.repeats !== undefined,
    superseded?.batch !== undefined,
    unconfirmed === true,
  ].includes(true);
  return payAgainWords[payAgain === 'yes' && mayBePaid ? 'ask' : payAgain];
};
