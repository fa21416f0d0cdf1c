import { expect, test } from 'vitest';
import { type Streams, Terminal } from '../../../src/cli/screens/terminal.ts';
import { Remembering } from '../../support/desk/page.ts';

/** Whether somebody can be asked, with everything as on the terminal of a person but for this. */
const canAsk = ({ stdin = true, stderr = true, input = true, env = {} }): boolean => {
  const streams = { stdin: { isTTY: stdin }, stdout: new Remembering(true), stderr: new Remembering(stderr) };
  // A terminal asks no more of its streams than these have.
  return new Terminal(streams as unknown as Streams, env, { color: true, input }).interactive;
};

test('a question is asked on a terminal alone, and neither with --no-input nor where CI is set', () => {
  expect(canAsk({})).toBe(true);
  for (const otherwise of [{ stdin: false }, { stderr: false }, { input: false }, { env: { CI: 'true' } }])
    expect([otherwise, canAsk(otherwise)]).toEqual([otherwise, false]);
});
