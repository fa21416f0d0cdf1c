import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/domain/ids.ts';
import { accountIn, openService } from '../../support/desk/account.ts';
import { accountThat, answerIn } from '../../support/desk/api-calls.ts';
import { type Desk, type JsonLine, openDesk } from '../../support/desk/command-line.ts';
import { needsPseudoTerminal, onTerminal } from '../../support/desk/pseudo-terminal.ts';
import { sendJson, serve } from '../../support/loopback.ts';
import { messageNamed } from '../../support/spec-messages.ts';

const airtime = messageNamed('airtime').request.body;
const order = messageNamed('new-order-wallet').request.body as { readonly originatorConversationId: string };
const AIRTIME_ID = 'fix-air-1';
const NAME = 'buy-airtime';
const LEAVING = 'leaving';

describe('a call that may act', () => {
  const recordOf = async (desk: Desk, profile: string): Promise<readonly JsonLine[]> =>
    (await readFile(path.join(desk.home, profile, 'api-calls.ndjson'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonLine);

  test('is on disk with its id and its exact bytes before it leaves, and its answer after it', async () => {
    const desk = await openDesk();
    const seen: { readonly body: string; readonly record: readonly JsonLine[] }[] = [];
    const { url } = await serve(async (request, response) => {
      if (request.path === '/connect/token') return sendJson(response, 200, { access_token: 'tok-1234' });
      seen.push({ body: request.body, record: await recordOf(desk, 'env') });
      return sendJson(response, 200, { message: { originatorConversationId: AIRTIME_ID } });
    });
    const env = accountIn({ url, clientId: 'acme', clientSecret: 'canary' });
    const spaced = JSON.stringify(airtime, undefined, 3);
    const told = await desk.emit(['api', NAME, '--data', '-', '--confirm', NAME], { env, input: spaced });

    expect(told.exit).toBe(0);
    const [arrived] = seen;
    const body = JSON.stringify(airtime);
    expect(arrived?.body).toBe(body);
    const common = { v: 1, operation: NAME, id: AIRTIME_ID, sha256: sha256(body) };
    expect(arrived?.record).toEqual([expect.objectContaining({ ...common, event: LEAVING, body })]);
    const after = await recordOf(desk, 'env');
    expect(after.slice(1)).toEqual([
      expect.objectContaining({ ...common, event: 'answered', tag: 'accepted', status: 200 }),
    ]);
    expect(JSON.stringify(after)).not.toMatch(/canary|tok-1234/);
  });

  test.each([
    ['is not sent again under its id when it was taken', 200, { message: { originatorConversationId: 'x' } }, 8],
    ['is not sent again under its id when its answer was lost', 500, {}, 8],
    // Who stands between can refuse the answer on its way back.
    ['is not sent again under its id when it left and its caller was refused', 403, {}, 8],
    ['may be sent again under its id when it was refused', 400, { errors: { amount: ['too small'] } }, 6],
  ])('%s', async (_, status, body, exit) => {
    const desk = await openDesk();
    let posts = 0;
    const env = await accountThat(() => {
      posts += 1;
      return [status, body];
    });
    const choice = { env, input: JSON.stringify(airtime) };
    const argv = ['api', NAME, '--data', '-', '--confirm', NAME];
    await desk.emit(argv, choice);
    const again = await desk.emit(argv, choice);
    expect(again.exit).toBe(exit);
    expect(posts).toBe(exit === 8 ? 1 : 2);
    if (exit === 8) expect(again.fault?.['message']).toContain(AIRTIME_ID);
  });

  test('may be sent again under its id when there was no token to send it with', async () => {
    const desk = await openDesk();
    const posts: string[] = [];
    const { url } = await serve((request, response) => {
      if (request.path !== '/connect/token') posts.push(request.path);
      sendJson(response, 403, { error: 'access_denied' });
    });
    const env = accountIn({ url, clientId: 'acme', clientSecret: 'secret' });
    for (const _ of ['first', 'second']) {
      const told = await desk.emit(['api', NAME, '--data', '-', '--confirm', NAME], {
        env,
        input: JSON.stringify(airtime),
      });
      expect(told.exit).toBe(4);
      expect(JSON.stringify(told.events)).toContain('The credentials were refused');
    }
    expect(posts).toEqual([]);
  });

  test('leaves once when many processes send it at the same moment', async () => {
    const desk = await openDesk();
    let posts = 0;
    const env = await accountThat(() => {
      posts += 1;
      return [200, { message: { originatorConversationId: AIRTIME_ID } }];
    });
    const argv = ['api', NAME, '--data', '-', '--confirm', NAME];
    const all = await Promise.all(
      Array.from({ length: 8 }, () => desk.emit(argv, { env, input: JSON.stringify(airtime) })),
    );
    expect(posts).toBe(1);
    expect(all.map(({ exit }) => exit).toSorted()).toEqual([0, 8, 8, 8, 8, 8, 8, 8]);
    expect((await desk.emit(argv, { env, input: JSON.stringify(airtime) })).exit).toBe(8);
    expect(posts).toBe(1);
  });

  test('whose answer was lost is looked up: the service has it', async () => {
    const desk = await openDesk();
    const { originatorConversationId } = order;
    const argv = ['api', 'submit-order', '--data', '-'];
    const input = JSON.stringify(order);
    expect((await desk.emit([...argv, '--scenario', 'lost-answer=1'], { input })).exit).toBe(7);
    expect((await desk.emit(argv, { input })).exit).toBe(8);
    const found = await desk.emit(['api', 'find-order', '--query', `Id=${originatorConversationId}`]);
    expect(answerIn(found)).toMatchObject({ tag: 'accepted', value: { originatorConversationId } });
  });

  test('is not sent again when the record ends with a call without an answer, even behind a torn line', async () => {
    const desk = await openDesk();
    await desk.emit(['api', 'check-health']);
    const file = path.join(desk.home, 'sandbox', 'api-calls.ndjson');
    const leaving = {
      v: 1,
      at: '2026-11-27T06:00:00.000Z',
      event: LEAVING,
      call: 'c',
      operation: NAME,
      id: AIRTIME_ID,
    };
    await writeFile(file, `${JSON.stringify(leaving)}\n{"v":1,"at":"2026-`);
    const choice = { input: JSON.stringify(airtime) };
    const again = await desk.emit(['api', NAME, '--data', '-'], choice);
    expect(again).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });

    const other = { ...(airtime as object), originatorConversationId: 'another' };
    expect((await desk.emit(['api', NAME, '--data', '-'], { input: JSON.stringify(other) })).exit).toBe(0);
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({ event: LEAVING, id: 'another' });
  });

  test('does not leave when it cannot be recorded', async () => {
    const desk = await openDesk();
    await desk.emit(['api', 'check-health']);
    // A folder in the place of the file: writing fails for every user, root too.
    await desk.write(path.join('home', 'sandbox', 'api-calls.ndjson', 'x'), '');
    const told = await desk.emit(['api', NAME, '--data', '-'], { input: JSON.stringify(airtime) });
    expect(told).toMatchObject({ exit: 10, fault: { code: 'ledger-unsafe' } });
    const found = await desk.emit(['api', 'find-airtime', '--query', `OriginatorConversationId=${AIRTIME_ID}`]);
    expect(answerIn(found)).toMatchObject({ tag: 'refused' });
  });

  test.each([
    ['without its name', []],
    ['with another name', ['--confirm', 'pay-bill']],
  ])('on a live account is declined %s', async (_, confirm) => {
    const desk = await openDesk();
    const service = await serve((_request, response) => sendJson(response, 200, { access_token: 't' }));
    const env = accountIn({ url: service.url, clientId: 'acme', clientSecret: 'secret' });
    const told = await desk.emit(['api', NAME, '--data', '-', ...confirm], { env, input: JSON.stringify(airtime) });
    expect(told).toMatchObject({ exit: 8, fault: { code: 'declined' } });
    expect(told.fault?.['fix']).toContain(`--confirm ${NAME}`);
    expect(service.arrived).toEqual([]);
  });

  test('on a live account needs no name when it may be repeated', async () => {
    const desk = await openDesk();
    const env = accountIn(await openService());
    const told = await desk.emit(['api', 'reject-order', '--query', 'OriginatorConversationId=a'], { env });
    expect(answerIn(told)['tag']).toMatch(/accepted|refused/);
  });

  test.for<readonly [string, string, number]>([
    ['is made when its name is typed', `${NAME}\r`, 0],
    ['is declined when only yes is typed', 'yes\r', 8],
    ['is declined by Ctrl-C', '\u0003', 8],
  ])('on a terminal %s', async ([_, typing, exit], context) => {
    needsPseudoTerminal(context);
    const desk = await openDesk();
    Object.assign(desk.env, accountIn(await openService()));
    await desk.write('body.json', JSON.stringify(airtime));
    const shown = await onTerminal(desk, ['api', NAME, '--data', 'body.json'], [['Operation', typing]]);
    expect(shown.exit, shown.screen).toBe(exit);
    expect(shown.screen).toContain(AIRTIME_ID);
  });
});
