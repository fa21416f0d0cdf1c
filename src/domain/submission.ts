/**
 * The ways in which money is submitted to the service. What an order of each looks like is in `contract/submission.ts`.
 *
 * `full`: the service is asked about every order by its own id, so an order that is proven absent may be sent again.
 * `strict`: no look-up is documented; an order is sent once, and anything but a clean acceptance stays in doubt.
 */
export const submissionTable = {
  'payment-order': { protocol: 'full' },
  airtime: { protocol: 'strict' },
  'bill-payment': { protocol: 'strict' },
} as const satisfies Record<string, { protocol: 'full' | 'strict' }>;

export type SubmissionName = keyof typeof submissionTable;
