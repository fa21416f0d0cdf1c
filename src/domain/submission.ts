/**
 * The ways in which money is submitted to the service. What an order of each looks like is in `contract/submission.ts`.
 *
 * `resendable`: the service is asked about every order by its own id, so an order that is proven absent may be sent again.
 * `send-once`: no look-up is documented; an order is sent once, and anything but a clean acceptance stays in doubt.
 */
export const submissionTable = {
  'payment-order': { protocol: 'resendable', finalWord: 'look-up' },
  airtime: { protocol: 'send-once', finalWord: 'callback' },
  'bill-payment': { protocol: 'send-once', finalWord: 'look-up' },
} as const satisfies Record<
  string,
  {
    readonly protocol: 'resendable' | 'send-once';
    /** Where the outcome of an accepted order is read, unless a profile knows a look-up that the contract does not. */
    readonly finalWord: 'look-up' | 'callback';
  }
>;

export type SubmissionName = keyof typeof submissionTable;

const submissionNames = Object.keys(submissionTable) as readonly SubmissionName[]; // the table's own keys

/** The ways of submitting of which no look-up proves that an order is absent. */
export const sendOnceSubmissions: readonly SubmissionName[] = submissionNames.filter(
  (name) => submissionTable[name].protocol === 'send-once',
);
