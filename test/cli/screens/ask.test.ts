import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { askForText, askToChoose } from '../../../src/cli/screens/ask.ts';
import type { Shell } from '../../../src/cli/shell.ts';

const ENTER = '\r';

/** As much of a shell as a question needs: streams to type into and to read from. */
function openShell(signal: AbortSignal): { shell: Shell; stdin: PassThrough; stderr: PassThrough } {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  return { shell: { streams: { stdin, stderr }, signal } as unknown as Shell, stdin, stderr };
}

const ways: readonly [string, (shell: Shell) => Promise<unknown>][] = [
  ['a text', (shell) => askForText(shell, 'Total')],
  ['a choice', (shell) => askToChoose(shell, 'Which?', [{ value: 7, label: 'seven' }])],
];

describe.each(ways)('a question for %s', (_, ask) => {
  test('is declined when the command was stopped before it was asked', async () => {
    const { shell } = openShell(AbortSignal.abort('SIGINT'));
    expect(await ask(shell)).toBeUndefined();
  });

  test('is declined when the command is stopped while it waits, whatever is typed afterwards', async () => {
    const stop = new AbortController();
    const { shell, stdin } = openShell(stop.signal);
    const asked = ask(shell);
    stop.abort('SIGTERM');
    stdin.write(ENTER);
    expect(await asked).toBeUndefined();
  });

  test('says nothing more when the command is stopped after the answer', async () => {
    const stop = new AbortController();
    const { shell, stdin, stderr } = openShell(stop.signal);
    const asked = ask(shell);
    stdin.write(ENTER);
    expect(await asked).toBeDefined();
    stderr.read();
    stop.abort('SIGINT');
    expect(stderr.read()).toBeNull();
  });
});
