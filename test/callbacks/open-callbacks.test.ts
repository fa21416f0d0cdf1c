import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Inbox } from '../../src/callbacks/inbox.ts';
import { inboxFile, openCallbacks } from '../../src/callbacks/open-callbacks.ts';
import { openDurable } from '../../src/database/sqlite.ts';
import type { RunEvent } from '../../src/domain/event.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { fastClock } from '../support/fast-clock.ts';

const clock = fastClock();

const ADDRESS = 'http://127.0.0.1:9/secret';

async function openFor(desk: Desk, address?: string) {
  const told: RunEvent[] = [];
  const callbacks = await openCallbacks(desk.home, address, (event) => told.push(event));
  onTestFinished(() => callbacks?.[Symbol.asyncDispose]());
  return { callbacks, told };
}

async function receive(desk: Desk, subject: string): Promise<void> {
  const inbox = new Inbox(inboxFile(desk.home));
  await inbox.add({ topic: 'order', subject, receivedAt: 1, body: '{}' });
  await inbox.close();
}

describe('the callbacks of a run', () => {
  test('are none where no address is configured and nothing was ever received', async () => {
    const { callbacks, told } = await openFor(await openDesk(clock));
    expect(callbacks).toBeUndefined();
    expect(told).toEqual([]);
  });

  test('are those that come after it began, too, once an address is configured', async () => {
    const desk = await openDesk(clock);
    const { callbacks } = await openFor(desk, ADDRESS);
    expect(await callbacks?.since(0, 10)).toEqual([]);
    await receive(desk, 'a');
    expect(await callbacks?.since(0, 10)).toMatchObject([{ subject: 'a' }]);
  });

  test('are those that were received, whatever is configured now', async () => {
    const desk = await openDesk(clock);
    await receive(desk, 'a');
    const { callbacks } = await openFor(desk);
    expect(await callbacks?.since(0, 10)).toMatchObject([{ subject: 'a' }]);
  });

  test('that cannot be opened are a warning, and the run goes on without', async () => {
    const desk = await openDesk(clock);
    await desk.write(path.relative(desk.folder, inboxFile(desk.home)), 'name,amount\n'.repeat(100));
    const { callbacks, told } = await openFor(desk);
    expect(callbacks).toBeUndefined();
    expect(told).toMatchObject([
      { type: 'notice', level: 'warning', message: expect.stringContaining('callbacks.db') },
    ]);
  });

  test('that cannot be read any more are one warning, and none from then on', async () => {
    const desk = await openDesk(clock);
    await receive(desk, 'a');
    const { callbacks, told } = await openFor(desk);
    const raw = openDurable(inboxFile(desk.home));
    raw.exec('DROP TABLE callback');
    raw.close();
    expect(await callbacks?.since(0, 10)).toEqual([]);
    expect(await callbacks?.since(0, 10)).toEqual([]);
    expect(told).toMatchObject([{ type: 'notice', level: 'warning' }]);
  });
});
