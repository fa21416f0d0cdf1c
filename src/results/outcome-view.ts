/** How each outcome is shown to people, and to which figure of the Summary it counts. One entry for each outcome. */
import type { ResultRow } from '../domain/batch.ts';
import { type Outcome, outcomeTable } from '../domain/outcome.ts';
import type { LookName, StyledCell } from '../sheet/writing/workbook-writer.ts';

/** The parts into which the rows of every sheet are divided. */
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

/**
 * An answer and its cell. The cell object is shared, because the writer does not examine a cell again that is the same object
 * as in the row before.
 */
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
 * Returns the answer to "may it be paid again?" as a word with its look. "Yes" becomes "Check first" if the row may have been
 * paid otherwise: by an earlier attempt with an alarm, by a repetition at the service, by the later batch that holds it, or by
 * an earlier ledger.
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
