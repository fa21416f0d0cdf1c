/** What is kept of the difference to earlier batches when a batch is planned: rows and amounts, and nobody's name. */
import type { BatchHeader } from '../../domain/batch.ts';
import type { EarlierFindings, LastTime, SumWithRows } from '../../domain/duplicate.ts';

export function differenceOf(findings: EarlierFindings): Pick<BatchHeader, 'differs'> {
  const { lastTime, changedPayees, unusualAmounts, newPayees } = findings;
  if (!lastTime && !changedPayees && !unusualAmounts && !newPayees) return {};
  const differs = {
    ...(lastTime && { lastTime: recordedLastTime(lastTime) }),
    ...(changedPayees && {
      changedPayees: {
        count: changedPayees.count,
        rows: changedPayees.rows.map(({ row, batch, rowThen }) => ({ row, batch, rowThen })),
      },
    }),
    ...(unusualAmounts && {
      unusualAmounts: {
        count: unusualAmounts.count,
        rows: unusualAmounts.rows.map(({ row, usual }) => ({ row, usual })),
      },
    }),
    ...(newPayees && { newPayees: numbers(newPayees) }),
  };
  return { differs };
}

const recordedLastTime = ({ batch, newPeople, gonePeople, changedAmounts }: LastTime) => ({
  batch,
  newPeople: numbers(newPeople),
  gonePeople: numbers(gonePeople),
  changedAmounts: { ...changedAmounts, rows: changedAmounts.rows.map(({ row, was }) => ({ row, was })) },
});

const numbers = ({ count, amount, rows }: SumWithRows) => ({ count, amount, rows: rows.map(({ row }) => row) });
