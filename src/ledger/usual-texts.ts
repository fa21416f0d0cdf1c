/**
 * The records that a payment usually leaves, as texts to pack others against (`packed-text.ts`). Each has the fields that such a
 * record may have, in the order in which they are written; a value that always differs stands as `?`. What is stored can only be
 * read with the very text that it was packed against, so a change here is a change of the tables: the same test holds both.
 */
import type { BatchFact, Fact } from '../domain/fact.ts';
import { type LikeText, likeText } from './packed-text.ts';

const money = { minor: { $int: '?' }, currency: 'KES' };

/** Of a line that was paid; before that, the fields from `resultCode` on are missing. */
const report = {
  trace: '?',
  status: 4,
  statusText: 'Completed',
  paidAmount: '?',
  feeAmount: '?',
  resultCode: '0',
  resultText: null,
  receipt: '?',
  tracking: '?',
  date: '?',
  creditParty: null,
};

/** What facts say beyond their columns: of those types of which there is one or more for each payment. */
const facts = {
  'order-planned': {
    submission: 'payment-order',
    attempt: 1,
    lines: [{ trace: '?', row: 1, amount: money, replaces: '?' }],
    commitments: { body: '?', origin: '?', rows: ['?'], charges: ['?'] },
  },
  'order-claimed': { epoch: 1 },
  'order-answered': { tag: 'accepted', reason: 'HTTP 200', serviceId: '?' },
  'order-observed': {
    processed: true,
    serviceId: '?',
    lines: [report, { trace: '?', status: 1, statusText: 'Queued', paidAmount: '0', feeAmount: '0', tracking: '?' }],
    source: 'callback',
    callback: { seq: 1, receivedAt: 1 },
    textHash: '?',
  },
} satisfies Partial<Record<(Fact | BatchFact)['type'], object>>;

const like = (record: object): LikeText => likeText(JSON.stringify(record));

/** The state of an order that was paid, without its lines (`record-text.ts`). */
export const usualState: LikeText = like({
  id: '?',
  submission: 'payment-order',
  attempt: 1,
  phase: 'settled',
  posts: 1,
  mayHaveArrived: false,
  unknowns: 0,
  overdue: false,
  alarms: [],
  firstClaimedAt: 1,
  lastClaimedAt: 1,
  lastClaimEpoch: 1,
  answer: { tag: 'accepted', reason: 'HTTP 200' },
  lastEndedAt: 1,
  serviceId: '?',
});

/** Its lines: the words of the service are not kept apart here. */
export const usualLines: LikeText = like([
  {
    trace: '?',
    row: 1,
    amount: money,
    phase: 'completed',
    report: { ...report, resultText: 'Success', creditParty: '?' },
    reportedAt: 1,
  },
  { trace: '?', row: 1, amount: money, phase: 'open' },
]);

/** By the type of a fact; the others are stored as they are. */
export const usualFacts: ReadonlyMap<string, LikeText> = new Map(
  Object.entries(facts).map(([type, said]) => [type, like(said)]),
);
