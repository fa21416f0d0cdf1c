/** Whoever sits at a terminal is not told by mail what the screen says; whoever waits for an approved plan is. */
import { beforeEach, describe, expect, test } from 'vitest';
import { openDesk } from '../../support/desk/command-line.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';
import { needsPseudoTerminal, onTerminal } from '../../support/desk/pseudo-terminal.ts';
import { sendJson, serve } from '../../support/loopback.ts';

describe('on a terminal', () => {
  beforeEach(needsPseudoTerminal);

  test('a run tells nobody, and a plan that is applied does', async () => {
    const desk = await openDesk();
    const { url, arrived } = await serve((_, response) => sendJson(response, 204, {}));
    const secretFile = await desk.write('keys/webhook', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    await desk.writeConfig({ profiles: { sandbox: { notify: { webhook: { url, secretFile } } } } });
    await desk.write('pay.csv', csvOf(people(2)));
    expect((await onTerminal(desk, ['run', 'pay.csv', '--batch', 'october'], [])).exit).toBe(0);
    expect(arrived).toEqual([]);
    await desk.write('next.csv', csvOf(people(3)));
    const { end } = await desk.emit(['plan', 'next.csv', '--batch', 'november']);
    expect((await onTerminal(desk, ['apply', end.files[0]?.path ?? ''], [])).exit).toBe(0);
    expect(arrived.map(({ body }) => JSON.parse(body).type)).toEqual(['payment.sent', 'payment.finished']);
  });
});
