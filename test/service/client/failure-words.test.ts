import { expect, test } from 'vitest';
import { failureWords } from '../../../src/service/client/failure-words.ts';
import { openDesk, type Said } from '../../support/desk/command-line.ts';
import { passingClock } from '../../support/fast-clock.ts';
import { deadUrl, sendJson, serve, serveTcp } from '../../support/loopback.ts';

/** Half a minute passes in one second. */
const HASTE = 30;

const ACCOUNT = { PAYBATCH_CLIENT_ID: 'acme', PAYBATCH_CLIENT_SECRET: 'hunter2' };

async function balanceAt(PAYBATCH_BASE_URL: string): Promise<Said> {
  // A question is repeated for half a minute.
  const desk = await openDesk(passingClock(HASTE));
  const said = await desk.say(['balance'], { env: { ...ACCOUNT, PAYBATCH_BASE_URL } });
  expect(said).toMatchObject({ exit: 9, stdout: '' });
  expect(said.stderr).toContain('Nothing was sent.');
  return said;
}

test('an address where nothing listens is told with its port', async () => {
  const url = await deadUrl();
  const { stderr } = await balanceAt(url);
  expect(stderr).toContain(`: nothing answers at ${new URL(url).host} (ECONNREFUSED).`);
});

test('a server that does not speak https is told as that', async () => {
  const url = await serveTcp((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const { host } = new URL(url);
  const { stderr } = await balanceAt(`https://${host}`);
  expect(stderr).toContain(`${host} does not speak https`);
});

test.each([
  [404, 'answers 404: check its path'],
  [200, 'answers 200: check its path'],
  [500, 'answers 500 without a token'],
])('a token address that answers %i is named, and what to look at', async (status, says) => {
  const { url } = await serve((_, response) => sendJson(response, status, { hello: 'hunter3' }));
  const { stderr } = await balanceAt(url);
  expect(stderr).toContain(`tokenUrl (${url}/connect/token) ${says}.`);
  expect(stderr).not.toContain('hunter');
});

test('a failure that has no words keeps its code and its host', () => {
  expect(failureWords('E_OTHER', 'read', 'pay.example.test:443').reason).toBe('pay.example.test:443: E_OTHER (read)');
  expect(failureWords('toString', '', 'pay.example.test:443').reason).toBe('pay.example.test:443: toString');
  expect(failureWords('ENOTFOUND', 'getaddrinfo', 'pay.example.test:443').reason).toBe(
    'there is no host pay.example.test (ENOTFOUND)',
  );
});
