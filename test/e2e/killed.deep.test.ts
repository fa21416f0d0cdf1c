import { describe, test } from 'vitest';
import { askedToStop, killedTwiceAtAService, killedTwiceAtTheSandbox, stopSignals } from './killed-run.ts';

const ROWS = 2000;
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
