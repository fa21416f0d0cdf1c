/** What look-up and callbacks of a deposit have in common. */
import type { BookedRequest } from '../books/register.ts';
import { receiptOf } from '../books/statement.ts';

/** The number that the mobile operator gives it. */
export const merchantRequestId = ({ number }: BookedRequest): string => `29115-34620561-${number + 1}`;

/** Its receipt number once it was paid. */
export const receiptOfDeposit = ({ parts }: BookedRequest): string | null => {
  const paid = parts.find(({ result }) => result?.end === 'completed');
  return paid ? receiptOf(paid) : null;
};
