import { describe, expect, test } from 'vitest';
import { chanceOf } from '../../support/seeded-random.ts';
import { Host, SimulatedProcess } from './machine.ts';
import { Timeline } from './timeline.ts';
import { Witness } from './witness.ts';

const SEED = 7;

function timelineOf(seed = SEED): Timeline {
  return new Timeline(chanceOf(seed));
}

async function runAll(timeline: Timeline): Promise<void> {
  while (await timeline.step());
}

function processOn(timeline: Timeline, host = new Host('desk')): SimulatedProcess {
  const witness = new Witness(() => timeline.nowMs);
  return new SimulatedProcess('p', 1, host, { timeline, witness, crash: undefined });
}

describe('simulated time', () => {
  test('takes events by their time, whatever the order in which they were set', async () => {
    const timeline = timelineOf();
    const chance = chanceOf(SEED, 1);
    const seen: number[] = [];
    for (let left = 500; left > 0; left--) {
      const atMs = chance.below(200);
      timeline.at(atMs, () => seen.push(atMs));
    }
    await runAll(timeline);
    expect(seen).toHaveLength(500);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  test('lets everything that follows from an event run before the next one', async () => {
    const timeline = timelineOf();
    const seen: string[] = [];
    timeline.at(1, async () => {
      for (let left = 5; left > 0; left--) await Promise.resolve();
      seen.push('all of the first');
    });
    timeline.at(2, () => seen.push('the second'));
    await runAll(timeline);
    expect(seen).toEqual(['all of the first', 'the second']);
  });
});

describe('a simulated process', () => {
  test('never hears from its ports again when it has died', async () => {
    const timeline = timelineOf();
    const process = processOn(timeline);
    let woken = false;
    void process.clock.sleep(10).then(() => {
      woken = true;
    });
    timeline.at(5, () => process.kill('as a test'));
    await runAll(timeline);
    expect(woken).toBe(false);
  });

  test('goes on where it was when it has stood still', async () => {
    const timeline = timelineOf();
    const process = processOn(timeline);
    let wokenAtMs = 0;
    void process.clock.sleep(10).then(() => {
      wokenAtMs = timeline.nowMs;
    });
    process.pause(5000);
    await runAll(timeline);
    expect(wokenAtMs).toBe(5000);
  });

  test('is woken early by a signal, and reads the clock of its machine', async () => {
    const timeline = timelineOf();
    const process = processOn(timeline, new Host('desk', 60_000));
    const stop = new AbortController();
    const slept = process.clock.sleep(1000, stop.signal).then(() => timeline.nowMs);
    timeline.at(3, () => stop.abort());
    await runAll(timeline);
    expect(await slept).toBe(3);
    expect(process.clock.now() - process.clock.monotonicMs()).toBe(Date.UTC(2026, 10, 20, 9) + 60_000);
  });
});
