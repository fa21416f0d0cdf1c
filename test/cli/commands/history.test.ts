import { expect, test } from 'vitest';
import { openDesk } from '../../support/desk/command-line.ts';
import { fastClock } from '../../support/fast-clock.ts';

const clock = fastClock();

const SHEET = 'Reference,Name,Phone,Amount\nE1,Jane Wanjiku,0712345678,100\n';

test('history tells its times in the zone of the configuration, and which that is; programs read UTC', async () => {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', SHEET);
  await desk.writeConfig({ timezone: 'Pacific/Kiritimati' });
  expect((await desk.tell(['run', 'pay.csv'])).exit).toBe(0);

  const { events } = await desk.tell(['history']);
  const { batches } = events[0] as unknown as { readonly batches: readonly { readonly plannedAt: string }[] };
  const { plannedAt = '' } = batches[0] ?? {};
  expect(plannedAt).toMatch(/Z$/);
  const there = new Date(Date.parse(plannedAt) + 14 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');

  const { stdout, stderr } = await desk.say(['history']);
  expect(stderr).toBe('Times of Pacific/Kiritimati:\n');
  expect(stdout.slice(0, 16)).toBe(there);
});

test('a ledger without batches has no times to tell', async () => {
  const { stdout, stderr } = await (await openDesk(clock)).say(['history']);
  expect({ stdout, stderr }).toEqual({ stdout: 'There is no batch yet.\n', stderr: '' });
});
