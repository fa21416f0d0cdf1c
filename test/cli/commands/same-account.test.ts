/** The provider gives an account a new client id: whoever knows that it is the same account says so, and the ledger goes on. */
import { expect, test } from 'vitest';
import { accountIn, openService, quickProfile } from '../../support/desk/account.ts';
import { openDesk } from '../../support/desk/command-line.ts';
import { passOn } from '../../support/desk/pass-on.ts';
import { csvOf, people, totalOf } from '../../support/desk/payroll-sheet.ts';
import { fastClock } from '../../support/fast-clock.ts';
import { serve } from '../../support/loopback.ts';

const clock = fastClock();
const totals = ['--expect-count', '2', '--expect-total', totalOf(2)];
const ROTATED = { PAYBATCH_CLIENT_ID: 'acme-2' };
const SAID = ['ledger', 'same-account', '--reason', 'rotated on 1 December'];

/** A service that knows its client by two ids. */
async function openOffice() {
  const [desk, service] = [await openDesk(clock), await openService(undefined, clock)];
  const { url } = await serve((one, response) =>
    passOn(
      service.url,
      { ...one, body: one.body.replace('client_id=acme-2', `client_id=${service.clientId}`) },
      response,
    ),
  );
  await desk.write('pay.csv', csvOf(people(2)));
  await desk.writeConfig({ profiles: { env: quickProfile(service.routes) } });
  Object.assign(desk.env, accountIn({ ...service, url }));
  expect((await desk.emit(['run', 'pay.csv', '--batch', 'november', ...totals])).exit).toBe(0);
  return { desk, service };
}

test('it stops everything, and what goes on is named; status and workbook show who said so', async () => {
  const { desk, service } = await openOffice();
  const env = ROTATED;
  const stopped = await desk.emit(['status'], { env });
  expect(stopped).toMatchObject({ exit: 2, fault: { code: 'configuration' } });
  expect(stopped.fault?.['fix']).toContain(
    `\`${SAID.slice(0, 3).join(' ').replace('ledger', 'paybatch ledger')} "…"\``,
  );

  const { exit, stdout } = await desk.say(SAID, { env });
  expect({ exit, stdout }).toEqual({
    exit: 0,
    stdout: `The ledger now has the client id acme-2, instead of ${service.clientId}: rotated on 1 December.\n`,
  });
  const { exit: seen, stderr } = await desk.say(['status'], { env });
  expect(seen).toBe(0);
  expect(stderr).toMatch(
    new RegExp(`Client id: acme-2 replaced ${service.clientId} on 20.*: rotated on 1 December\\.`),
  );
  expect((await desk.emit(['status'])).exit).toBe(2);
  expect((await desk.emit(['verify'], { env })).exit).toBe(0);
  // Ids follow from the client id, so the profile has to keep the old one in its place.
  const next = await desk.emit(['run', 'pay.csv', '--batch', 'november', ...totals], { env });
  expect(next).toMatchObject({
    exit: 2,
    fault: { fix: expect.stringContaining(`"idNamespace": "${service.clientId}"`) },
  });
});

test.each([
  ['without a reason', ['ledger', 'same-account'], 2],
  ['with an empty one', ['ledger', 'same-account', '--reason', ' '], 2],
  ['of the practice service', [...SAID, '--profile', 'sandbox'], 2],
  ['of the id that the ledger has', SAID, 2],
  ['without its name', ['ledger'], 2],
])('nothing is recorded %s', async (_, argv, code) => {
  const { desk } = await openOffice();
  expect((await desk.emit(argv)).exit).toBe(code);
  expect((await desk.emit(['status'])).exit).toBe(0);
});
