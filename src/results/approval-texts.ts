/** By whose word a batch was paid: the lines that the workbook has of its plan and the people who signed it. */
import type { BatchHeader } from '../domain/batch.ts';

/** Label and text of each line; none where control totals confirmed the batch. */
export function approvalTexts({ approval }: Pick<BatchHeader, 'approval'>): readonly (readonly [string, string])[] {
  if (!approval) return [];
  const { plan, maker, approvals } = approval;
  return [
    ['SHA-256 of the plan', plan],
    ...(maker ? [['Plan signed by', `${maker.name} (key ${maker.key})`] as const] : []),
    ...approvals.map(({ name, key, at }) => ['Plan approved by', `${name} at ${at} (key ${key})`] as const),
  ];
}
