/** A server that is away while a ledger is opened. */
import { describe, expect, test } from 'vitest';
import { onceThere } from '../../src/database/postgres/await-server.ts';
import { Fault } from '../../src/domain/fault.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { holder, TestClock, temporaryPath } from '../ledger/builders.ts';
import { testKeys } from '../support/ledger-keys.ts';
import { needsPostgres, newAddress, openCluster, sharedAt } from '../support/postgres.ts';

const away = (cause: unknown): Fault => new Fault('ledger-unsafe', 'It cannot be reached.', 'Start it.', { cause });
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const startingUp = Object.assign(new Error('the database system is starting up'), { code: '57P03', severity: 'FATAL' });
const silent = new Error('Query read timeout'); // as `pg` says it
const noNetwork = Object.assign(new Error('connect EHOSTUNREACH'), { code: 'EHOSTUNREACH' });
const noRole = Object.assign(new Error('no such role'), { code: '28000', severity: 'FATAL' });

/** Opens as often as it is asked, with an answer for each time; the last one stays. */
function opening(answers: readonly ('there' | Fault)[], onAway?: (fault: Fault, forMs: number) => void) {
  const clock = new TestClock();
  let asked = 0;
  const opened = onceThere(
    async () => {
      const answer = answers[Math.min(asked++, answers.length - 1)];
      if (answer instanceof Fault) throw answer;
      return answer;
    },
    { clock, onAway },
  );
  const startedMs = clock.monotonicMs();
  return { opened, asked: () => asked, passedMs: () => clock.monotonicMs() - startedMs };
}

describe('a server that is away', () => {
  test('is waited for, which is told once', async () => {
    const told: unknown[] = [];
    const { opened, asked } = opening(
      [away(silent), away(noNetwork), away(refused), away(startingUp), 'there'],
      (_, forMs) => told.push(forMs),
    );
    expect(await opened).toBe('there');
    expect([asked(), told]).toEqual([5, [30_000]]);
  });

  test('for longer than 30 s ends the waiting', async () => {
    const { opened, passedMs } = opening([away(new AggregateError([refused, refused]))], () => undefined);
    await expect(opened).rejects.toMatchObject({ code: 'ledger-unsafe', exit: 10 });
    expect(passedMs()).toBe(30_000);
  });

  test('is told at once to who does not wait, and so is what does not pass by itself', async () => {
    for (const { opened, asked } of [opening([away(refused)]), opening([away(noRole)], () => undefined)]) {
      await expect(opened).rejects.toThrow('It cannot be reached.');
      expect(asked()).toBe(1);
    }
  });

  test('opens the ledger when it is started meanwhile', async (context) => {
    needsPostgres(context);
    const cluster = await openCluster();
    const shared = sharedAt(newAddress(cluster));
    await cluster.stop();
    let starting: Promise<void> | undefined;
    const real = { now: Date.now, monotonicMs: () => performance.now() };
    const ledger = await openLedger({
      path: temporaryPath(),
      shared,
      keys: testKeys,
      clock: { ...real, sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
      holder: holder(),
      onAway: ({ message }) => {
        expect(message).toContain('cannot be reached');
        starting = cluster.start();
      },
    });
    await starting;
    expect(await ledger.takeLease()).toBe(1);
    await ledger.close();
  });
});
