/**
 * The decision over every combination of what can be known of an order. Each case below says by itself what it means, so
 * the rule is stated here in yes and no, and shares no arithmetic with the code: the times are the last that still prove
 * something, or the first that do not.
 */
import { expect, test } from 'vitest';
import { nextStep, type Policy, type Step } from '../../src/dispatch/decision.ts';
import type { OrderState } from '../../src/domain/order.ts';
import { AGE, doubted, GAP, lineIn, NOW, notPaid, policy, QUIET, RESENDS } from './doubted-order.ts';

type Answer = 'none' | NonNullable<OrderState['answer']>['tag'];

/** What the rule asks about an order in doubt. */
interface Questions {
  readonly answer: Answer;
  readonly mayHaveArrived: boolean;
  /** Two look-ups, far enough apart, did not know it. */
  readonly lookedTwice: boolean;
  /** Nothing of it was on its way for long enough, as far as this run can say. */
  readonly isSilent: boolean;
  readonly runSawSilence: boolean;
  /** Runs begin at one of two moments: the one that begins at the earlier of them saw silence. */
  readonly claimed: 'before both' | 'at the earlier' | 'at the later';
  readonly isYoung: boolean;
  readonly mayGoOften: boolean;
  readonly resend: 'same-id' | 'never';
  readonly lookFirst: boolean;
  readonly service: 'full' | 'strict' | 'strict and silent';
  readonly aPersonSpoke: boolean;
  /** Whether the run still follows orders; `short`: only those whose absence can still be proven; `once`: none. */
  readonly deadline: 'long' | 'short' | 'once';
}

/** One case of one question: what it means, and what is known then. */
type Case<Known> = Partial<Known> & { readonly means: Partial<Questions> };

/** Nobody can be asked about airtime. */
const asked: Policy = { ...policy, hasLookUp: (submission) => submission !== 'airtime' };

const tags = ['exists', 'refused', 'unauthorised', 'throttled', 'not-sent', 'ambiguous'] as const;

const states: readonly (readonly Case<OrderState>[])[] = [
  [{ means: { answer: 'none' } }, ...tags.map((tag) => ({ means: { answer: tag }, answer: { tag, reason: '' } }))],
  [false, true].map((mayHaveArrived) => ({ means: { mayHaveArrived }, mayHaveArrived })),
  [
    { means: { lookedTwice: false }, unknowns: 0 },
    { means: { lookedTwice: false }, unknowns: 1, firstUnknownAt: NOW, lastUnknownAt: NOW },
    { means: { lookedTwice: false }, unknowns: 2, firstUnknownAt: NOW - GAP + 1, lastUnknownAt: NOW },
    { means: { lookedTwice: true }, unknowns: 2, firstUnknownAt: NOW - GAP, lastUnknownAt: NOW },
    // Told by a clock that was put back since.
    { means: { lookedTwice: false }, unknowns: 2, firstUnknownAt: NOW - GAP, lastUnknownAt: NOW + 1 },
  ],
  [
    { means: { isSilent: true, claimed: 'before both' }, lastClaimedAt: NOW - QUIET - 1, lastEndedAt: NOW - QUIET },
    {
      means: { isSilent: false, claimed: 'before both' },
      lastClaimedAt: NOW - QUIET - 1,
      lastEndedAt: NOW - QUIET + 1,
    },
    { means: { isSilent: true, claimed: 'at the earlier' }, lastClaimedAt: NOW - QUIET },
    { means: { isSilent: false, claimed: 'at the later' }, lastClaimedAt: NOW - QUIET + 1 },
  ],
  [
    { means: { isYoung: true }, firstClaimedAt: NOW - AGE },
    { means: { isYoung: false }, firstClaimedAt: NOW - AGE - 1 },
    { means: { isYoung: false }, firstClaimedAt: NOW + 1 },
    { means: { isYoung: false } },
  ],
  [
    { means: { mayGoOften: true }, posts: RESENDS },
    { means: { mayGoOften: false }, posts: RESENDS + 1 },
  ],
  [
    { means: { service: 'full' }, submission: 'payment-order' },
    { means: { service: 'strict' }, submission: 'bill-payment' },
    { means: { service: 'strict and silent' }, submission: 'airtime' },
  ],
  [
    { means: { aPersonSpoke: false }, lines: [lineIn('open')] },
    { means: { aPersonSpoke: true }, lines: [lineIn('open'), lineIn('open', { resolved: notPaid })] },
  ],
];

const policies: readonly (readonly Case<Policy>[])[] = [
  [
    { means: { runSawSilence: true }, startedAt: NOW - QUIET },
    { means: { runSawSilence: false }, startedAt: NOW - QUIET + 1 },
  ],
  (['same-id', 'never'] as const).map((resend) => ({ means: { resend }, inDoubt: { ...policy.inDoubt, resend } })),
  [false, true].map((lookFirst) => ({ means: { lookFirst }, lookFirst })),
  ([900_000, 60_000, 0] as const).map((deadlineMs) => ({
    means: { deadline: deadlineMs === 0 ? 'once' : deadlineMs > QUIET ? 'long' : 'short' },
    polling: { ...policy.polling, deadlineMs },
  })),
];

/** What happens next to an order in doubt that no alarm is about. */
function stated(order: Questions): Step['do'] {
  const isOver = order.deadline !== 'long';
  const nobodyKnows = order.service === 'strict and silent';
  if (order.aPersonSpoke) return nobodyKnows ? 'nothing' : isOver ? 'park' : 'look-up';
  if (neverTransmitted(order) && (order.service !== 'full' || !order.lookFirst)) {
    return isOver && wasTried(order) ? 'park' : 'submit';
  }
  if (order.service === 'full') return statedWithProof(order);
  if (nobodyKnows) return 'nothing';
  return isOver || isSilent(order) ? 'park' : 'look-up';
}

const neverTransmitted = ({ answer, mayHaveArrived }: Questions): boolean => answer === 'not-sent' && !mayHaveArrived;
/** Whether the run that is asked has claimed it, and no earlier one. */
const wasTried = ({ claimed, runSawSilence }: Questions): boolean =>
  claimed === 'at the later' || (claimed === 'at the earlier' && runSawSilence);
const isSilent = (order: Questions): boolean => order.isSilent && order.runSawSilence;

/** The same where an order can be proven absent. */
function statedWithProof(order: Questions): Step['do'] {
  const { answer, deadline } = order;
  const isAllowed = order.resend === 'same-id' && answer !== 'exists' && order.mayGoOften && order.isYoung;
  const ends: readonly Step['do'][] = [
    ...(answer === 'refused' && !order.mayHaveArrived ? (['refuse'] as const) : []),
    ...(neverTransmitted(order) || isAllowed ? (['submit'] as const) : []),
  ];
  if (order.lookedTwice && isSilent(order) && ends[0]) return ends[0];
  const isFollowed = deadline === 'long' || (deadline === 'short' && ends.length > 0);
  return isFollowed ? 'look-up' : 'park';
}

/** Every choice of one case from each dimension. */
const everyChoice = <Known>(dimensions: readonly (readonly Case<Known>[])[]): readonly Case<Known>[] =>
  dimensions.reduce<readonly Case<Known>[]>(
    (chosen, cases) =>
      chosen.flatMap((some) => cases.map((one) => ({ ...some, ...one, means: { ...some.means, ...one.means } }))),
    [{ means: {} } as Case<Known>],
  );

test('an order in doubt goes the way that the rule says, whatever is known of it', () => {
  const seen = new Set<Step['do']>();
  const rules = everyChoice(policies).map(({ means, ...known }) => ({ means, rule: { ...asked, ...known } }));
  for (const { means: ofState, ...known } of everyChoice(states)) {
    const state: OrderState = { ...doubted, ...known };
    for (const { means: ofPolicy, rule } of rules) {
      const means = { ...ofState, ...ofPolicy } as Questions; // every question is a dimension
      const step = nextStep(state, rule, NOW).do;
      // A call of `expect` for each of so many would take most of the time.
      if (step !== stated(means)) expect({ step, means, state, rule }).toBe(stated(means));
      seen.add(step);
    }
  }
  expect([...seen].sort()).toEqual(['look-up', 'nothing', 'park', 'refuse', 'submit']);
});
