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

const DENIAL = /reject|fail|time[ds]?[ -]?out|declin|cancel|expire|revers/i;

/** Whether the words beside a status say that nothing was paid. Words alone never decide: beside "completed" they are a contradiction. */
export const wordsDeny = (text: string): boolean => DENIAL.test(text);
