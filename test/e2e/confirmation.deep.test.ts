/** The other ways of not typing the total; `confirmation.test.ts` has the common ones. */
import { beforeEach, describe, test } from 'vitest';
import { needsPseudoTerminal, type Step } from '../support/desk/pseudo-terminal.ts';
import { ESCAPE, sendsNothing } from './asked-for-the-total.ts';

describe('a live run on a terminal asks for the total', () => {
  beforeEach(needsPseudoTerminal);

  test.each<readonly [string, Step[1], number]>([
    ['only yes', 'yes\r', 2],
    ['nothing', '\r', 2],
    ['Escape', ESCAPE, 8],
    ['Ctrl-C', '\u0003', 8],
    ['a signal', { send: 'SIGINT' }, 8],
    ['the end of the session', { send: 'SIGTERM' }, 8],
  ])('and sends nothing when the answer is %s', (_, answer, code) => sendsNothing(answer, code));
});
