import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { until } from '../dispatch/until.ts';
import { Child } from '../support/desk/child.ts';
import { toldOf } from '../support/desk/command-line.ts';
import { needsPseudoTerminal, onTerminal } from '../support/desk/pseudo-terminal.ts';
import {
  askedToStop,
  deskOf,
  expectTheEnd,
  killedTwiceAtAService,
  killedTwiceAtTheSandbox,
  SCENARIO,
  stopSignals,
} from './killed-run.ts';

const ROWS = 1000;
/** Three runs of so many rows, on a machine that is busy. */
const TIMEOUT_MS = 240_000;

describe('a large run that is killed, and whose resume is killed too', { timeout: TIMEOUT_MS }, () => {
  test('pays everybody exactly once at a service of its own', () => killedTwiceAtAService(ROWS));

  test('pays everybody exactly once at the embedded sandbox', () => killedTwiceAtTheSandbox(ROWS));

  test.each(stopSignals)(
    'or that is asked to stop by %s exits %i with everything saved; resume finishes',
    (signal, code) => askedToStop(600, signal, code),
  );
});

describe('a run that is asked to stop in another way', () => {
  test('by closing its window saves as well, and exits 143; resume finishes', async (context) => {
    needsPseudoTerminal(context);
    const desk = await deskOf(20);
    const argv = ['run', 'pay.csv', '--scenario', SCENARIO, '--concurrency', '2'];
    const { exit } = await onTerminal(desk, argv, [[' of 20', { close: true }]]);
    expect(exit).toBe(143);
    expect(await readdir(desk.folder)).toContainEqual(expect.stringMatching(/\.results\.xlsx$/));
    await expectTheEnd(await desk.emit(['resume']), 20);
  });

  test('twice leaves at once, and the last line is its end all the same; resume finishes', async () => {
    const desk = await deskOf(20);
    const child = new Child(desk, ['run', 'pay.csv', '--scenario', 'slow=800', '--concurrency', '2', '--json']);
    await child.until(/"batch.planned"/);
    child.kill('SIGINT');
    await until(() => child.stderr.includes('Stopping'));
    child.kill('SIGINT');
    const left = toldOf(await child.end());
    expect(left.end).toMatchObject({ type: 'end', exit: 130, rows: { total: 20 }, files: [] });
    expect(left.exit).toBe(130);
    expect(left.end.batch).toBe(left.events.find(({ type }) => type === 'batch.planned')?.['batch']);
    await expectTheEnd(await desk.emit(['resume']), 20);
  });
});
