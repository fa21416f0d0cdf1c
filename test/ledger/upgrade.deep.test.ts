/** An upgrade that dies at any of its steps: the ledger is as it was, or up to date, and the same command goes on. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Upgraded } from '../../src/ledger/ledger.ts';
import { onEachDriver } from './drivers.ts';
import { DECEMBER, found, type Kept, laid, openAs } from './upgraded-ledger.ts';

const PROGRAM = path.join(import.meta.dirname, '..', 'support', 'programs', 'upgrade-and-die.ts');

/** What two programs end with that begin at the same time. */
const bothEnd = ({ path: file, address = '' }: Kept): Promise<unknown[]> =>
  Promise.all(
    [1, 2].map(async () => {
      const [exit] = await once(fork(PROGRAM, [file, address], { stdio: 'inherit' }), 'exit');
      return exit;
    }),
  );

async function dieAt(step: string, { path: file, address = '' }: Kept): Promise<void> {
  const child = fork(PROGRAM, [file, address, step], { stdio: 'inherit' });
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
}

/** What this paybatch and the next one find behind each, when they only read. */
const standing = {
  'has every lock': ['locked', 'sound', 'ledger-version'],
  'has kept a copy': ['kept', 'sound', 'ledger-version'],
  'has changed the tables, and proven nothing': ['migrating', 'sound', 'ledger-version'],
  'has proven what it made, and committed nothing': ['proven', 'sound', 'ledger-version'],
  'has committed': ['migrated', 'ledger-version', 'sound'],
} as const;

onEachDriver(() => {
  test('two programs that upgrade at the same time both end well, and the ledger is up to date', async () => {
    const kept = await laid();
    expect(await bothEnd(kept)).toEqual([0, 0]);
    expect(await found(kept, { next: 'reads' })).toBe('sound');
    expect(readdirSync(path.dirname(kept.path)).filter((name) => name.includes('.version-'))).toHaveLength(
      kept.address === undefined ? 1 : 0,
    );
  });

  describe.each(Object.entries(standing))('an upgrade that is killed when it %s', (_, [step, now, next]) => {
    test('leaves the ledger as it was or up to date, and ends whole when it is begun again', async () => {
      const kept = await laid();
      await dieAt(step, kept);
      expect([await found(kept), await found(kept, { next: 'reads' })]).toEqual([now, next]);
      const upgraded: Upgraded[] = [];
      const ledger = await openAs(kept, { next: upgraded });
      expect(upgraded).toHaveLength(step === 'migrated' ? 0 : 1);
      const epoch = await ledger.takeLease(DECEMBER);
      await ledger.recordRun(DECEMBER, '0.2.0');
      expect(await ledger.claim(await ledger.unsentOrders(DECEMBER, 1), Date.now(), epoch, null)).toHaveLength(1);
      expect(await ledger.verify()).toEqual([]);
    });
  });
});
