/** A person sets up an account on a terminal. The same without one: `test/cli/commands/init.test.ts`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { needsPseudoTerminal, onTerminal } from '../support/desk/pseudo-terminal.ts';
import { answersTo, CANARY, ENTER, openGate, ownFile, processes } from '../support/desk/set-up.ts';
import { needs } from '../support/needs.ts';

const needsProcessList = needs(processes().includes('ps axeww'), 'ps, which lists processes');

/** Names of the files at a desk that hold a text. */
const filesWith = (desk: Desk, text: string): readonly string[] =>
  readdirSync(desk.folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(path.join(entry.parentPath, entry.name)).includes(text))
    .map(({ name }) => name);

test('a person types five answers, may mistype the secret, and has an account; the secret is in its file and nowhere else', async (context) => {
  needsPseudoTerminal(context);
  needsProcessList(context);
  const desk = await openDesk();
  const { url, clientId, processesSeen } = await openGate();
  const { exit, screen } = await onTerminal(
    desk,
    ['init'],
    [
      ...answersTo(url, clientId),
      ['Client secret', `${CANARY}-mistyped${ENTER}`],
      ['Client id, again', ENTER],
      ['Scope, again', ENTER],
      ['Repeat the client secret', CANARY + ENTER],
      ['Pay by these routes?', ENTER],
      ['Name of the payer', ENTER],
      ['Phone number of the payer', `0712345678${ENTER}`],
      ['Source of the funds', ENTER],
      ['What the organisation does', ENTER],
    ],
  );
  expect({ exit, screen }).toEqual({ exit: 0, screen: expect.stringContaining('Written   profile live') });
  expect(screen).toContain('The service refused the credentials');
  expect(screen).toMatch(/OK\s+Credentials/);
  const { profiles, remitter, currency } = JSON.parse(readFileSync(ownFile(desk, 'config.json'), 'utf8'));
  expect(Object.keys(profiles.live.routes)).toEqual(['wallet', 'till', 'paybill', 'bank']);
  expect([remitter.phoneNumber, currency]).toEqual(['+254712345678', 'KES']);

  expect(screen).not.toContain(CANARY);
  expect(processesSeen.length).toBeGreaterThan(1);
  // The list was read while the command ran, with what it was given.
  for (const list of processesSeen) {
    expect(list).toContain(desk.home);
    expect(list.includes(CANARY)).toBe(false);
  }
  expect(filesWith(desk, CANARY)).toEqual(['live']);
  expect(profiles.live.clientSecretFile).toBe(ownFile(desk, 'secrets', 'live'));
});
