import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { askForSecret, askForText, askToChoose } from '../../../src/cli/screens/ask.ts';
import type { Shell } from '../../../src/cli/shell.ts';

const ENTER = '\r';

/** As much of a shell as a question needs: streams to type into and to read from. */
function openShell(signal: AbortSignal, accessible = false): { shell: Shell; stdin: PassThrough; stderr: PassThrough } {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  return { shell: { streams: { stdin, stderr }, signal, terminal: { accessible } } as unknown as Shell, stdin, stderr };
}

const ways: readonly [string, (shell: Shell) => Promise<unknown>][] = [
  ['a text', (shell) => askForText(shell, 'Total')],
  ['a choice', (shell) => askToChoose(shell, 'Which?', [{ value: 7, label: 'seven' }])],
];

const looks = [
  ['drawn', false],
  ['in plain lines', true],
] as const;
const questions = ways.flatMap(([what, ask]) =>
  looks.map(([look, plain]) => [`${what}, ${look}`, plain, ask] as const),
);

describe.each(questions)('a question for %s', (_, plain, ask) => {
  test('is declined when the command was stopped before it was asked', async () => {
    const { shell } = openShell(AbortSignal.abort('SIGINT'), plain);
    expect(await ask(shell)).toBeUndefined();
  });

  test('is declined when the command is stopped while it waits, whatever is typed afterwards', async () => {
    const stop = new AbortController();
    const { shell, stdin } = openShell(stop.signal, plain);
    const asked = ask(shell);
    stop.abort('SIGTERM');
    stdin.write(ENTER);
    expect(await asked).toBeUndefined();
  });

  // The terminal itself turns Ctrl-D into the end of the input, except in raw mode.
  test.each(plain ? ['the end of the input'] : ['Ctrl-D', 'the end of the input'])('is declined by %s', async (how) => {
    const { shell, stdin } = openShell(new AbortController().signal, plain);
    const asked = ask(shell);
    await expect.poll(() => plain || stdin.listenerCount('keypress') > 1).toBe(true);
    if (how === 'Ctrl-D') stdin.write('\u0004');
    else stdin.end();
    expect(await asked).toBeUndefined();
  });

  test('says nothing more when the command is stopped after the answer', async () => {
    const stop = new AbortController();
    const { shell, stdin, stderr } = openShell(stop.signal, plain);
    const asked = ask(shell);
    stdin.write(plain ? '\n' : ENTER);
    expect(await asked).toBeDefined();
    stderr.read();
    stop.abort('SIGINT');
    expect(stderr.read()).toBeNull();
  });
});

describe('a question in plain lines', () => {
  /** Types lines one after the other, each once something was asked. */
  async function answered(lines: readonly string[], ask: (shell: Shell) => Promise<unknown>) {
    const { shell, stdin, stderr } = openShell(new AbortController().signal, true);
    const left = [...lines];
    let screen = '';
    stderr.on('data', (chunk: Buffer) => {
      screen += chunk.toString();
      if (/: $/.test(screen) && left.length > 0) setImmediate(() => stdin.write(left.shift() ?? ''));
    });
    return { answer: await ask(shell), screen };
  }

  test('says what is wrong with an answer, and asks again', async () => {
    const validate = (text = '') => (text === '100' ? undefined : 'Type the total.');
    expect(await answered(['99\n', '100\n'], (shell) => askForText(shell, 'Total KES', { validate }))).toEqual({
      answer: '100',
      screen: 'Total KES: Type the total.\nTotal KES: ',
    });
  });

  test('takes its proposal by Enter alone', async () => {
    expect(await answered(['\n'], (shell) => askForText(shell, 'Name', { initialValue: 'may-2026' }))).toEqual({
      answer: 'may-2026',
      screen: 'Name (Enter for may-2026): ',
    });
  });

  test('numbers the answers of a choice, and takes nothing that is none of them', async () => {
    const choices = ['a file', 'the keychain'].map((label, value) => ({ value, label }));
    const { answer, screen } = await answered(['3\n', '2\n'], (shell) => askToChoose(shell, 'Where?', choices));
    expect(answer).toBe(1);
    expect(screen).toBe(
      'Where?\n1: a file\n2: the keychain\nNumber from 1 to 2 (Enter for 1): Type a number from 1 to 2.\nNumber from 1 to 2 (Enter for 1): ',
    );
  });

  test('shows nothing of a secret, which may be corrected and declined', async () => {
    const typed = await answered(['hunter2\u007f3\r'], (shell) => askForSecret(shell, 'Client secret'));
    expect(typed).toEqual({ answer: 'hunter3', screen: 'Client secret: \n' });
    expect((await answered(['hun\u0003'], (shell) => askForSecret(shell, 'Secret'))).answer).toBeUndefined();
  });
});
