/** The exact body of an order, in the way that it is submitted, checked against the contract before it is stored. */

import type { Payout } from '../../domain/batch.ts';
import type { OrderId, TraceNumber } from '../../domain/ids.ts';
import { invariant } from '../../domain/invariant.ts';
import type { SubmissionName } from '../../domain/submission.ts';
import { type Draft, type SettledDraft, submissions } from './index.ts';
import type { BodyLine, BodyTerms, SharedTexts } from './submission.ts';

/** Returns a draft with what preflight settled for it. */
export const settled = (draft: Draft, payout: Payout, terms: BodyTerms): SettledDraft =>
  submissions[draft.submission].settled(draft, payout, terms);

/** Returns the draft, to be settled again: a bill keeps the service that was found for it, even if that has another name by now. */
export const unsettled = (draft: SettledDraft): Draft => submissions[draft.submission].unsettled(draft);

/** Everything that a body says except its ids. */
export interface BodyParts extends SharedTexts {
  readonly lines: readonly { readonly draft: SettledDraft }[];
}

type Rendered = { readonly submission: SubmissionName; readonly body: string };

/** Returns the body of an order of these parts, with a trace number for each line; several lines only if its way allows them. */
export function renderBody(id: OrderId, traces: readonly TraceNumber[], parts: BodyParts): Rendered {
  const [first, ...others] = parts.lines.map(({ draft }, index): BodyLine<SettledDraft> => {
    const trace = traces[index];
    invariant(trace, 'every line has a trace number');
    return { draft, trace };
  });
  invariant(first, 'an order pays at least one row');
  const { submission } = first.draft;
  const way = submissions[submission];
  invariant(way.hasSeveralLines || others.length === 0, `an order of ${submission} has one line`);
  invariant(
    others.every(({ draft }) => draft.submission === submission),
    'the lines of an order are submitted in one way',
  );
  return { submission, body: JSON.stringify(way.bodyOf(id, [first, ...others], parts)) };
}
