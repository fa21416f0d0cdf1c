/**
 * The ways of submitting money to the service, by name, with the protocol of each: the words that the ledger keeps, and what
 * pure rules decide by. Everything else about a way is in its own file of `submissions/`.
 *
 * `resendable`: the service can be asked about every order by its own id, so an order that is proven absent may be sent
 * again. `send-once`: no look-up is documented; an order is sent once, and anything but a clean acceptance stays in doubt.
 */
export const protocols = {
  'payment-order': 'resendable',
  airtime: 'send-once',
  'bill-payment': 'send-once',
} as const satisfies Record<string, 'resendable' | 'send-once'>;

/** The name of a way of submitting, as the ledger keeps it. */
export type SubmissionName = keyof typeof protocols;

/** The protocol of one way of submitting, so that its own file cannot state another. */
export type ProtocolOf<N extends SubmissionName> = (typeof protocols)[N];

/** Every way of submitting. */
export const submissionNames = Object.keys(protocols) as readonly SubmissionName[]; // the table's own keys

/** The ways of submitting for which no look-up can prove that an order is absent. */
export const sendOnceSubmissions: readonly SubmissionName[] = submissionNames.filter(
  (name) => protocols[name] === 'send-once',
);
