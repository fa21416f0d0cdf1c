/** How long an order that was lost is waited for: as long as another one may be shown beside which it is proven absent. */
import { expect, test } from 'vitest';
import { Coming } from '../../src/dispatch/coming.ts';
import type { Fact } from '../../src/domain/fact.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import type { OrderState } from '../../src/domain/order.ts';
import { doubted } from './doubted-order.ts';

const word = { saidAbsent: { by: 'amina@desk', at: 4_000 } };
const shown: Fact = { type: 'order-observed', order: 'other' as OrderId, at: 5_000, processed: false, lines: [] };
const other = { ...doubted, id: 'other' as OrderId };

test.each<[string, OrderState, boolean]>([
  ['one that was accepted', { ...other, phase: 'accepted' }, true],
  ['one that never arrived, by the word of a person', { ...other, ...word }, true],
  ['none: it is in doubt as well', other, false],
  ['none: the service says that it holds it', { ...other, ...word, answer: { tag: 'exists', reason: '' } }, false],
  ['none: it is never submitted twice', { ...other, ...word, submission: 'bill-payment' }, false],
  ['none: it has its end', { ...other, phase: 'settled' }, false],
])('what may be shown is %s', (_, state, isAny) => {
  const coming = new Coming();
  coming.note(state, []);
  expect(coming.isAny).toBe(isAny);
});

test('what was shown, or is lost again, is awaited no longer', () => {
  const coming = new Coming();
  coming.note({ ...other, ...word }, []);
  coming.note({ ...other, phase: 'accepted' }, []);
  coming.note({ ...doubted, ...word }, []);
  expect(coming.isAny).toBe(true);
  coming.note({ ...other, phase: 'accepted' }, [shown]);
  expect(coming.isAny).toBe(true);
  coming.note(doubted, []);
  expect(coming.isAny).toBe(false);
});
