/** The page Settings, and the sheet for the next time. */
import { expect, test } from 'vitest';
import { openDesk } from '../support/desk/command-line.ts';
import { startConsole } from '../support/desk/console-desk.ts';
import { openOffice } from '../support/desk/live-office.ts';
import { seenText } from './page-text.ts';

test('every setting that counts is told with its origin, as the command tells it', async () => {
  const desk = await openDesk();
  await desk.writeConfig({ organisation: 'Acme Ltd' });
  const { events } = await desk.emit(['config', 'show', '--origin']);
  const [{ settings = [] } = {}] = events.filter(({ type }) => type === 'config') as { settings?: object[] }[];
  const page = seenText((await (await (await startConsole(desk)).enter()).ask('settings')).text);
  expect(settings.length).toBeGreaterThan(5);
  for (const { name, value, origin } of settings as { name: string; value: string; origin: string }[])
    expect(page).toContain(`${name} ${value} ${origin}`.replace(/\s+/g, ' '));
});

test('who has no account yet is told the one command, and who has is not', async () => {
  const rehearsal = await (await startConsole(await openDesk())).enter();
  expect(seenText((await rehearsal.ask('settings')).text)).toContain('type paybatch init in a terminal');
  const { desk, service } = await openOffice();
  const live = await (await startConsole(desk)).enter();
  const { text } = await live.ask('settings');
  expect(seenText(text)).not.toContain('paybatch init');
  expect(text).not.toContain(service.clientSecret);
});

test('what a pay day needs is examined as the doctor does', async () => {
  const desk = await openDesk();
  const { events } = await desk.emit(['doctor']);
  const [{ checks = [] } = {}] = events.filter(({ type }) => type === 'doctor') as { checks?: object[] }[];
  const page = seenText((await (await (await startConsole(desk)).enter()).ask('settings/doctor')).text);
  expect(checks.length).toBeGreaterThan(5);
  for (const { title } of checks as { title: string }[]) expect(page).toContain(title);
  expect(page).toContain('Nothing was sent.');
});

test('a sheet with the people of the latest batch is handed out, without amounts', async () => {
  const desk = await openDesk();
  await desk.takeSamples();
  const visitor = await (await startConsole(desk)).enter();
  expect((await visitor.ask('template')).status).toBe(400);
  const { end } = await desk.emit(['run', 'suppliers.csv']);
  const { status, headers, text } = await visitor.ask(`template?from=${end.batch}`);
  expect([status, headers['content-disposition']]).toEqual([200, expect.stringContaining('payouts.xlsx')]);
  expect(text.startsWith('PK')).toBe(true);
  expect((await visitor.ask('check')).text).toMatch(/href="[^"]*template" download/);
});
