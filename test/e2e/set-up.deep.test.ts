/** The other ways through a set-up on a terminal; `set-up.test.ts` has the common one. */
import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDesk } from '../support/desk/command-line.ts';
import { needsPseudoTerminal, onTerminal, type Step } from '../support/desk/pseudo-terminal.ts';
import { answersTo, CANARY, ENTER, openGate, ownFile } from '../support/desk/set-up.ts';

const CTRL_C = '\u0003';

describe('a person at a terminal', () => {
  beforeEach(needsPseudoTerminal);

  test('chooses another route, leaves the other kinds out, and is asked nothing of who pays', async () => {
    const desk = await openDesk();
    const { url, clientId } = await openGate();
    const down = '\u001b[B';
    const none = (title: string): Step => [`Which route pays "${title}"`, `\u001b[A${ENTER}`];
    const { exit } = await onTerminal(
      desk,
      ['init', '--profile', 'branch'],
      [
        ...answersTo(url, clientId),
        ['Client secret', CANARY + ENTER],
        ['Pay by these routes?', down + ENTER],
        ['Which route pays "Mobile wallet"', down + ENTER],
        // The last choice stands above the first.
        ...['Business till', 'Business paybill', 'Bank account'].map(none),
      ],
    );
    expect(exit).toBe(0);
    const { profiles, defaultProfile, remitter } = JSON.parse(readFileSync(ownFile(desk, 'config.json'), 'utf8'));
    expect([Object.keys(profiles.branch.routes), defaultProfile, remitter]).toEqual([['wallet'], 'branch', undefined]);
    expect(profiles.branch.routes.wallet.routeId).not.toBe('5a0d0001-0c1e-4e0a-9a51-70726163746f');
  });

  test('stops at the secret with Ctrl-C: 8, and nothing was asked or written', async () => {
    const desk = await openDesk();
    const { url, clientId, arrived } = await openGate();
    const steps: readonly Step[] = [...answersTo(url, clientId), ['Client secret', CTRL_C]];
    const { exit, screen } = await onTerminal(desk, ['init'], steps);
    expect({ exit, screen }).toEqual({ exit: 8, screen: expect.stringContaining('Nothing was written') });
    expect(arrived).toEqual([]);
    expect([existsSync(desk.path('config')), existsSync(desk.home)]).toEqual([false, false]);
  });

  test('is told not to hand the secret over on a stdin where it would show', async () => {
    const { exit, screen } = await onTerminal(await openDesk(), ['init', '--secret-stdin'], []);
    expect({ exit, screen }).toEqual({ exit: 2, screen: expect.stringContaining('would show the secret') });
  });

  test('mistypes a new secret at login, and the one that is kept is the one that the service takes', async () => {
    const desk = await openDesk();
    const { url, clientId } = await openGate();
    const secret = await desk.write('secret', 'the-secret-of-last-year');
    const live = { baseUrl: url, clientId, clientSecretFile: secret };
    await desk.writeConfig({ defaultProfile: 'live', profiles: { live } });
    const { exit, screen } = await onTerminal(
      desk,
      ['login'],
      [
        ['Client secret of', `${CANARY}-mistyped${ENTER}`],
        ['Repeat the client secret', CANARY + ENTER],
      ],
    );
    // Wherever the line was broken.
    expect({ exit, screen: screen.replace(/\s+/g, ' ') }).toEqual({
      exit: 0,
      screen: expect.stringContaining('The previous secret is still stored'),
    });
    expect(screen).not.toContain(CANARY);
    expect(readFileSync(secret, 'utf8').trim()).toBe(CANARY);
  });
});
