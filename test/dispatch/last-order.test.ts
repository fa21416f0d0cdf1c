/** The last order of a batch: beside it the others can be proven absent, so it is not thrown into the same silence. */
import { describe, expect, test } from 'vitest';
import { LastOrder } from '../../src/dispatch/last-order.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import type { OrderState } from '../../src/domain/order.ts';
import { doubted } from './doubted-order.ts';

const silent: OrderState = { ...doubted, answer: { tag: 'ambiguous', reason: 'ECONNRESET' } };
const other: OrderState = { ...silent, id: 'other' as OrderId };
const inVain: OrderState = { ...silent, overdue: true };

describe('the last order may leave', () => {
  test.each<[string, readonly OrderState[], LastOrder['mayLeave']]>([
    ['where nothing else was sent', [], 'yes'],
    ['where one was accepted, whatever became of others', [silent, { ...other, phase: 'accepted' }], 'yes'],
    [
      'where one was accepted though nobody could say what became of another',
      [inVain, { ...other, phase: 'accepted' }],
      'yes',
    ],
    [
      'where one was heard of though nobody could say what became of another',
      [inVain, { ...other, unknowns: 1 }],
      'yes',
    ],
    ['not before all that were lost are heard of or followed in vain', [inVain, other], 'not yet'],
    ['not before one that was lost is heard of', [silent], 'not yet'],
    ['when a look-up said clearly that it is unknown', [silent, { ...silent, unknowns: 1 }], 'yes'],
    ['never where nobody could say what became of it', [silent, inVain], 'no'],
    ['where one was refused', [{ ...silent, answer: { tag: 'refused', reason: 'HTTP 400' } }], 'yes'],
    ['where one was settled, whatever became of others', [silent, { ...other, phase: 'settled' }], 'yes'],
    ['while another is on its way, and nothing is known of it', [{ ...silent, phase: 'claimed' }], 'yes'],
    ['where one that was lost can never be looked up', [{ ...silent, submission: 'airtime' }], 'yes'],
    ['where one of those was followed in vain', [{ ...silent, submission: 'airtime', overdue: true }], 'yes'],
    ['where nothing is known of one but that it may have left', [doubted], 'not yet'],
    ['where one never left', [{ ...silent, answer: { tag: 'not-sent', reason: 'ECONNREFUSED' } }], 'yes'],
  ])('%s', (_, states, may) => {
    const last = new LastOrder();
    for (const state of states) last.note(state);
    expect(last.mayLeave).toBe(may);
  });

  test('when each of those that were lost is heard of', () => {
    const last = new LastOrder();
    for (const state of [silent, other, inVain]) last.note(state);
    expect(last.mayLeave).toBe('not yet');
    last.note({ ...other, unknowns: 1 });
    expect(last.mayLeave).toBe('yes');
  });
});
