import { describe, expect, test } from 'vitest';
import { columnsOf } from '../../../src/cli/screens/columns.ts';
import { Progress } from '../../../src/cli/screens/progress.ts';
import { Terminal } from '../../../src/cli/screens/terminal.ts';
import type { RunEvent } from '../../../src/domain/event.ts';
import { noOutcomes } from '../../../src/domain/outcome.ts';
import { amountIn } from '../../support/amounts.ts';
import { openPage, Remembering } from '../../support/desk/page.ts';

const ESCAPE = '\u001b';

type ProgressEvent = Extract<RunEvent, { type: 'progress' }>;

const event = (done: number, more: Partial<ProgressEvent> = {}): ProgressEvent => ({
  type: 'progress',
  done,
  of: 100,
  waiting: 3,
  counts: { ...noOutcomes(), completed: done, pending: 3, unsent: 97 - done },
  failed: 2,
  paid: amountIn('5800'),
  ...more,
});

/** A terminal, a clock that a test moves, and what stands on the screen when all is drawn. */
function screen(columns = 80) {
  let now = 1000;
  const page = openPage(true, columns);
  let wake = (): void => undefined;
  const sleep = (_ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      signal.addEventListener('abort', () => resolve());
    });
  const progress = new Progress(page.terminal, { now: () => now, sleep });
  const drawn = (): readonly string[] => {
    const last = page.says().join('\n').split('\r').at(-1) ?? '';
    return last.replaceAll(`${ESCAPE}[2K`, '').replaceAll(`${ESCAPE}[1A`, '').split('\n');
  };
  return {
    progress,
    drawn,
    at(ms: number): void {
      now = 1000 + ms;
    },
    async tick(ms: number): Promise<void> {
      now += ms;
      wake();
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

describe('progress on a terminal', () => {
  test('says all of it on a narrow one, over more lines', () => {
    const { progress, drawn, at } = screen(40);
    progress.show(event(0));
    at(4000);
    progress.show(event(40));
    for (const line of drawn()) expect(columnsOf(line)).toBeLessThanOrEqual(39);
    expect(
      drawn()
        .map((line) => line.trim())
        .join(' '),
    ).toMatch(/ 40 of 100, 10\/s, .*KES 5,800\.00 paid, 2 failed/);
    at(5000);
    progress.show(event(41));
    const { length } = drawn();
    progress.finish();
    expect(length).toBeGreaterThan(2);
  });

  test('tells rows, rate, time to send, money, failures, and how long the others are waited for', () => {
    const { progress, drawn, at } = screen();
    progress.show(event(0));
    at(4000);
    progress.show(event(40));
    expect(drawn()).toEqual([
      'Paying    ██████████░░░░░░░░░░░░░░  40 of 100, 10/s, about 6 s to send',
      '          KES 5,800.00 paid, 2 failed',
    ]);
    progress.show(event(96, { awaits: { for: 'final-words', until: 25_000 } }));
    at(4200);
    progress.show(event(97, { awaits: { for: 'final-words', until: 25_000 } }));
    expect(drawn()).toEqual([
      'Paying    ███████████████████████░  97 of 100, 23/s',
      '          KES 5,800.00 paid, 2 failed, waiting for 3 rows, at most 20 s',
    ]);
    progress.finish();
  });

  test('does not call a row finished that timed out, and tells it apart', () => {
    const { progress, drawn } = screen();
    // The run waits for none of them any more, so for the run all is done.
    progress.show({ ...event(100), waiting: 0, counts: { ...noOutcomes(), completed: 88, 'timed-out': 12 } });
    expect(drawn()).toEqual([
      'Paying    █████████████████████░░░  88 of 100',
      '          KES 5,800.00 paid, 2 failed, 12 timed out',
    ]);
    progress.finish();
  });

  test('counts down by itself, and stops when it is over', async () => {
    const { progress, drawn, tick } = screen();
    progress.show(event(1, { awaits: { for: 'service', until: 31_000 } }));
    expect(drawn()[1]).toBe('          KES 5,800.00 paid, 2 failed, the service is tried again in 30 s');
    await tick(11_000);
    expect(drawn()[1]).toMatch(/in 19 s$/);
    progress.finish();
    expect(drawn()).toEqual(['']);
    await tick(1000);
    expect(drawn()).toEqual(['']);
  });

  test('tells what is asked before anything is sent with a countdown', async () => {
    const { progress, drawn, tick } = screen();
    progress.beforehand({ type: 'reconcile.progress', done: 70, of: 210, leftMs: 119_000 });
    expect(drawn()[0]).toBe('Asking    ░░░░░░░░░░░░░░░░░░░░░░░░  70 of 210 look-ups; about 119 s left');
    await tick(100_000);
    expect(drawn()).toEqual([
      'Asking    ████████████████████░░░░  70 of 210 look-ups; about 19 s left',
      '          Nothing is sent until then. Needed for each batch of a new ledger.',
    ]);
    for (const line of drawn()) expect(columnsOf(line)).toBeLessThanOrEqual(79);
    progress.finish();
  });

  test.each(['1', 'true'])('never redraws where PAYBATCH_ACCESSIBLE is %s', (value) => {
    const [stdout, stderr] = [new Remembering(true), new Remembering(true)];
    const streams = { stdin: { isTTY: true }, stdout, stderr } as never; // as much as a terminal asks of them
    const terminal = new Terminal(streams, { PAYBATCH_ACCESSIBLE: value }, { color: false, input: false });
    const progress = new Progress(terminal, { now: () => 0 });
    progress.show(event(10));
    progress.finish();
    expect(stderr.text).toBe('Paying    10 of 100 rows finished, 3 waiting; KES 5,800.00 paid, 2 failed\n');
  });

  test('elsewhere says once what is waited for, and for how long at most', () => {
    const page = openPage(false);
    const progress = new Progress(page.terminal, { now: () => 0 });
    const waiting = { awaits: { for: 'final-words', until: 15_000 } } as const;
    progress.show(event(96, waiting));
    progress.show(event(97, waiting));
    progress.finish();
    expect(page.says().slice(1)).toEqual(['Paying    waiting for 3 rows, at most 15 s']);
  });
});
