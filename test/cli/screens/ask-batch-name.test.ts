import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { askBatchName } from '../../../src/cli/screens/confirm.ts';
import type { Shell } from '../../../src/cli/shell.ts';
import { openPage } from '../../support/desk/page.ts';

const ENTER = '\r';
const argv = ['run', 'net pay.csv', '--expect-count', '12'];

/** As much of a shell as asking needs, and what was shown in it. `types`: at the question; nothing: nobody sits there. */
function open({ types, json = false, signal }: { types?: string; json?: boolean; signal?: AbortSignal }) {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const { terminal, says } = openPage(types !== undefined);
  const streams = { stdin, stderr };
  const shell = { terminal, argv, flags: { json }, streams, signal: signal ?? new AbortController().signal };
  if (types !== undefined) setImmediate(() => stdin.write(types));
  return { shell: shell as unknown as Shell, says, asked: () => String(stderr.read() ?? '') };
}

describe('the name of a live batch', () => {
  test.each<[string, Parameters<typeof open>[0]]>([
    ['without a terminal', {}],
    ['for a program that reads events, on a terminal too', { types: ENTER, json: true }],
  ])('is not asked for %s: the whole command is said', async (_, person) => {
    const { shell, asked } = open(person);
    await expect(askBatchName('net-pay-2026-11', shell)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('Nothing was sent'),
      remedy: 'If this name is right: paybatch run "net pay.csv" --expect-count 12 --batch net-pay-2026-11',
    });
    expect(asked()).toBe('');
  });

  test('is the proposal when a person only presses Enter', async () => {
    const { shell, asked } = open({ types: ENTER });
    expect(await askBatchName('net-pay-2026-11', shell)).toBe('net-pay-2026-11');
    expect(asked()).toContain('Name of the batch');
  });

  test('is asked for again while it cannot name a batch', async () => {
    const BACKSPACE = '\u007f';
    const { shell, asked } = open({ types: `/${ENTER}${BACKSPACE}x${ENTER}` });
    expect(await askBatchName('pay', shell)).toBe('payx');
    expect(asked()).toContain('Use up to 64 letters');
  });

  test.each([
    ['the total of the sheet', '57000.25'],
    ['a bare number', '12'],
  ])('is asked for again when %s was typed ahead, behind the proposal', async (_, typed) => {
    const BACKSPACE = '\u007f';
    const { shell, asked } = open({ types: `${typed}${ENTER}${BACKSPACE.repeat(typed.length)}-b${ENTER}` });
    expect(await askBatchName('pay-2026-11', shell)).toBe('pay-2026-11-b');
    expect(asked()).toContain('That is a number, not a name.');
  });

  test.each(['57000.25', '202611'])('is asked for again when "%s" stands there alone', async (typed) => {
    const BACKSPACE = '\u007f';
    const { shell, asked } = open({
      types: `${BACKSPACE.repeat(3)}${typed}${ENTER}${BACKSPACE.repeat(typed.length)}2026-11${ENTER}`,
    });
    expect(await askBatchName('pay', shell)).toBe('2026-11');
    expect(asked()).toContain('That is a number, not a name.');
  });

  test('that is declined stops the run', async () => {
    const { shell } = open({ types: '', signal: AbortSignal.abort('SIGINT') });
    await expect(askBatchName('pay', shell)).rejects.toMatchObject({ code: 'declined', exit: 8 });
  });
});
