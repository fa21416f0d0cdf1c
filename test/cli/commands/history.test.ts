import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { openDesk } from '../../support/desk/command-line.ts';
import { fastClock } from '../../support/fast-clock.ts';

const clock = fastClock();

const SHEET = 'Reference,Name,Phone,Amount\nE1,Jane Wanjiku,0712345678,100\n';

test('history tells its times in the zone of the configuration, and which that is; programs read UTC', async () => {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', SHEET);
  await desk.writeConfig({ timezone: 'Pacific/Kiritimati' });
  expect((await desk.emit(['run', 'pay.csv'])).exit).toBe(0);

  const { events } = await desk.emit(['history']);
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

describe('history of some days, as a table', () => {
  test('has a line for each batch that was planned on them, on the clocks of the configured zone, with its sums', async () => {
    const desk = await openDesk(clock);
    await desk.writeConfig({ timezone: 'Pacific/Kiritimati' });
    await desk.write('pay.csv', SHEET);
    await desk.write('other, "quoted".csv', SHEET.replace('100\n', '200.50\nE2,Ali Hassan,+254712340002,7\n'));
    await desk.emit(['run', 'pay.csv']);
    await desk.emit(['run', 'other, "quoted".csv']);
    const [first = ''] = (await desk.say(['history'])).stdout.split(' ');
    const after = new Date(Date.parse(first) + 86_400_000).toISOString().slice(0, 10);

    const { stdout, exit } = await desk.say(['history', '--from', first, '--to', after, '--format', 'csv']);
    expect(exit).toBe(0);
    const [headings = [], ...lines] = parse(stdout) as string[][];
    expect(lines).toHaveLength(2);
    const of = (line: readonly string[] | undefined, heading: string) => line?.[headings.indexOf(heading)];
    expect(headings[0]).toBe('Planned at, Pacific/Kiritimati');
    expect(lines.map((line) => of(line, 'Sheet'))).toEqual(['other, "quoted".csv', 'pay.csv']);
    expect(
      lines.map((line) =>
        ['Rows', 'Completed', 'CHECK Timed out', 'Planned', 'Paid', 'Exit code', 'May have been paid'].map((name) =>
          of(line, name),
        ),
      ),
    ).toEqual([
      ['2', '1', '1', '207.50', '200.50', '7', '1'],
      ['1', '1', '0', '100.00', '100.00', '0', '0'],
    ]);
    expect((await desk.say(['history', '--from', after, '--format', 'csv'])).stdout.split('\n')).toHaveLength(2);
    expect((await desk.say(['history', '--to', '2020-01-01'])).stdout).toBe('No batch was planned then.\n');

    const { end, events } = await desk.emit(['history', '--format', 'csv', '-o', 'all.csv']);
    expect(events.find(({ type }) => type === 'history')?.['batches']).toHaveLength(2);
    const written = await readFile(end.files[0]?.path ?? '', 'utf8');
    expect(parse(written, { bom: true })).toEqual([headings, ...lines]);
  });

  test.each([
    [['--from', '2026-02-30'], '2026-11-30'],
    [['--from', '0050-02-01'], '2026-11-30'],
    [['--to', '2206-11-30'], '2026-11-30'],
    [['--from', '2026-03-02', '--to', '2026-03-01'], 'is after'],
    [['-o', 'all.csv'], 'the file of a table'],
    [['--json', '--format', 'csv'], 'needs a file of its own'],
  ])('refuses %j', async (words, says) => {
    const { exit, stdout, stderr } = await (await openDesk(clock)).say(['history', ...words]);
    expect(exit).toBe(2);
    expect(stdout + stderr).toContain(says);
  });
});
