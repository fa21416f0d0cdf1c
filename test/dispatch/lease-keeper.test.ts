import { describe, expect, test } from 'vitest';
import { LeaseKeeper } from '../../src/dispatch/lease-keeper.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** Nobody else has taken it. */
const proveLease = async (): Promise<void> => undefined;

describe('the lease', () => {
  const keeperOf = (renew: () => Promise<void> = async () => undefined) => {
    const clock = new FakeClock();
    let renewals = 0;
    const renewLease = async (): Promise<void> => {
      renewals += 1;
      await renew();
    };
    return { clock, keeper: new LeaseKeeper({ renewLease, proveLease }, clock), count: () => renewals };
  };

  test('is renewed every quarter of a minute until the run is over', async () => {
    const { clock, keeper, count } = keeperOf();
    const over = new AbortController();
    const kept = keeper.keep(over.signal);
    await clock.pass(60_000);
    expect(count()).toBe(4);
    over.abort();
    await kept;
    await clock.pass(60_000);
    expect(count()).toBe(4);
  });

  test('counts as held while it was proven lately, by whatever write', async () => {
    const { clock, keeper, count } = keeperOf();
    for (let i = 0; i < 10; i++) {
      await clock.pass(30_000);
      await keeper.hold();
      await keeper.provenBy(async () => undefined);
    }
    expect(count()).toBe(0);
  });

  test('is proven again, once for all, after a longer silence', async () => {
    const { clock, keeper, count } = keeperOf();
    await clock.pass(30_001);
    await Promise.all([keeper.hold(), keeper.hold(), keeper.hold()]);
    expect(count()).toBe(1);
  });

  test('is proven again after a silence that the wall clock does not show, because it was set back', async () => {
    const clock = new FakeClock();
    const wall = { now: () => 1_000_000, monotonicMs: () => clock.monotonicMs(), sleep: clock.sleep.bind(clock) };
    let renewals = 0;
    const renewLease = async (): Promise<void> => {
      renewals += 1;
    };
    const keeper = new LeaseKeeper({ renewLease, proveLease }, wall);
    await clock.pass(60_000);
    await keeper.hold();
    expect(renewals).toBe(1);
  });

  test('is read before anything leaves: no clock shows a sleep in which the wall clock was set back by as much', async () => {
    const clock = new FakeClock();
    let isTaken = false;
    const taken = async (): Promise<void> => {
      if (isTaken) throw new Error('held by another run');
    };
    const keeper = new LeaseKeeper({ renewLease: async () => undefined, proveLease: taken }, clock);
    await keeper.hold();
    isTaken = true;
    await expect(keeper.hold()).rejects.toThrow('held by another run');
  });

  test('is proven again when the computer slept while it was being proven', async () => {
    const clock = new FakeClock();
    let asleepMs = 0;
    const wall = {
      now: () => clock.now() + asleepMs,
      monotonicMs: () => clock.monotonicMs(),
      sleep: clock.sleep.bind(clock),
    };
    const renewed: boolean[] = [];
    const renewLease = async (): Promise<void> => {
      if (renewed.length > 0) throw new Error('held by another run');
      renewed.push(true);
      // The record is on disk, and the computer sleeps before it hears of that.
      asleepMs = 1_800_000;
    };
    const keeper = new LeaseKeeper({ renewLease, proveLease }, wall);
    await clock.pass(30_001);
    await expect(keeper.hold()).rejects.toThrow('another run');
  });

  test('that was lost is an error for everyone who needs it', async () => {
    const { clock, keeper } = keeperOf(() => Promise.reject(new Error('held by another run')));
    await clock.pass(30_001);
    const asked = await Promise.allSettled([keeper.hold(), keeper.hold()]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(keeper.hold()).rejects.toThrow('another run');
  });
});
