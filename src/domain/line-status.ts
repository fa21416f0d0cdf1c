/**
 * Status numbers of an order line. Only a number in this table has a meaning; any other stays open and is shown as it
 * came. Spec: "States and transitions"; 0 has been observed as Pending.
 */
export const lineStatusTable = {
  0: 'pending',
  4: 'completed',
  7: 'rejected',
  8: 'timed-out',
} as const;

export type LineStatus = (typeof lineStatusTable)[keyof typeof lineStatusTable] | 'unrecognised';

export const lineStatusOf = (status: number): LineStatus =>
  (lineStatusTable as Readonly<Record<number, LineStatus | undefined>>)[status] ?? 'unrecognised';
