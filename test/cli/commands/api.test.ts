import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operations } from '../../../src/service/contract/index.ts';
import type { AnyOperation } from '../../../src/service/contract/operation.ts';
import { accountIn, openService } from '../../support/desk/account.ts';
import { accountThat, answerIn } from '../../support/desk/api-calls.ts';
import { type Desk, openDesk, type Told } from '../../support/desk/command-line.ts';
import { deadUrl, sendJson, serve } from '../../support/loopback.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { filledIn, messageNamed, operationOf, type SpecMessage, specMessages } from '../../support/spec-messages.ts';

const all: readonly AnyOperation[] = Object.values(operations);
const airtime = messageNamed('airtime').request.body;
const NAME = 'buy-airtime';

/** What is typed for a message: its query as flags, its body from a file. */
async function typed(desk: Desk, { request }: SpecMessage, operation: AnyOperation): Promise<readonly string[]> {
  const flags = Object.entries(request.query ?? {}).flatMap(([name, value]) => ['--query', `${name}=${value}`]);
  if (request.body === undefined) return ['api', operation.name, ...flags];
  await desk.write('body.json', JSON.stringify(request.body));
  return ['api', operation.name, ...flags, '--data', 'body.json'];
}

async function send(desk: Desk, message: SpecMessage, answers: ReadonlyMap<string, unknown>): Promise<Told> {
  const operation = operationOf(message);
  if (!operation) throw new Error(`no operation answers ${message.request.path}`);
  const request = filledIn(message.request, (name) => answers.get(name));
  return desk.emit(await typed(desk, { ...message, request }, operation));
}

/** The first message of an operation, in the order of their names, that is answered well; if there is one, without delay. */
function goodMessageFor(operation: AnyOperation): SpecMessage {
  const [message] = [...specMessages.values()]
    .filter(
      (one) =>
        operationOf(one) === operation &&
        one.reply.status === 200 &&
        one.written !== false &&
        typeof one.request.token !== 'string',
    )
    .toSorted((one, other) => (one.afterMs ?? 0) - (other.afterMs ?? 0));
  if (!message) throw new Error(`there is no good message for ${operation.name}`);
  return message;
}

describe('every operation can be called by its name', () => {
  test.each(all.map((operation) => [operation.name, operation] as const))('%s', async (_, operation) => {
    const desk = await openDesk();
    const message = goodMessageFor(operation);
    const answers = new Map<string, unknown>();
    for (const name of message.given ?? []) {
      const before = await send(desk, messageNamed(name), answers);
      expect(before.exit, name).toBe(0);
      answers.set(name, answerIn(before)['value']);
    }

    const told = await send(desk, message, answers);

    expect(answerIn(told), JSON.stringify(told.events)).toMatchObject({
      operation: operation.name,
      tag: 'accepted',
      status: 200,
    });
    expect(told.exit).toBe(0);
    expect(told.events.at(-1)?.['type']).toBe('end');
    expect(told.stderr).toBe('');
  });
});

describe('the answer', () => {
  test('is one JSON document on stdout, and the conversation stays on stderr', async () => {
    const desk = await openDesk();
    const { exit, stdout, stderr } = await desk.say(['api', 'find-order', '--query', 'Id=nobody']);
    expect(exit).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({ tag: 'refused', status: 404 });
    expect(Object.keys(JSON.parse(stdout) as object).slice(0, 2)).toEqual(['tag', 'status']);
    expect(stderr).toContain('SANDBOX');
  });

  test('masks a token unless it is asked for', async () => {
    const desk = await openDesk();
    const hidden = await desk.say(['api', 'request-token']);
    expect(JSON.parse(hidden.stdout)).toMatchObject({ tag: 'accepted', value: { access_token: '********' } });
    expect(answerIn(await desk.emit(['api', 'request-token']))).toMatchObject({ value: { access_token: '********' } });
    const open = await desk.say(['api', 'request-token', '--show-token']);
    expect((JSON.parse(open.stdout) as { value: { access_token: string } }).value.access_token).toMatch(/^practice-/);
  });

  test('cannot steer a terminal, and is the same JSON all the same', async () => {
    const desk = await openDesk();
    const name = 'a\u202eb\u0085c\u001b[2J';
    const env = await accountThat(() => [200, { routes: [{ id: 'r', country: name }] }]);
    const { stdout } = await desk.say(['api', 'find-routes'], { env });
    for (const character of name.replaceAll(/[\w[]/g, '')) expect(stdout).not.toContain(character);
    expect(JSON.parse(stdout)).toMatchObject({ value: { routes: [{ country: name }] } });
  });
});

describe('the exit code says what the answer lets one conclude', () => {
  const refusal = { errors: { amount: ['is too small'] } };
  const duplicate = { errors: { originatorConversationId: ['must be unique'] } };
  const submission = ['api', NAME, '--data', '-', '--confirm', NAME];
  const lookUp = ['api', 'find-routes'];

  test.each<readonly [string, readonly string[], number, unknown, string, number]>([
    ['a submission that is refused', submission, 400, refusal, 'refused', 6],
    ['a submission that exists', submission, 400, duplicate, 'exists', 6],
    ['a submission without rights', submission, 403, {}, 'unauthorised', 4],
    ['a submission that is throttled', submission, 429, {}, 'throttled', 7],
    ['a submission whose answer cannot be read', submission, 200, 'taken', 'ambiguous', 7],
    ['a submission that broke the service', submission, 500, {}, 'ambiguous', 7],
    ['a look-up that is refused', lookUp, 404, refusal, 'refused', 6],
    ['a look-up without rights', lookUp, 403, {}, 'unauthorised', 4],
    ['a look-up that is throttled', lookUp, 429, {}, 'throttled', 9],
    ['a look-up that broke the service', lookUp, 500, {}, 'ambiguous', 9],
  ])('%s', async (_, argv, status, body, tag, exit) => {
    const desk = await openDesk();
    const env = await accountThat(() => [status, body]);
    const choice = { env, input: JSON.stringify(airtime) };
    const told = await desk.emit(argv, choice);
    expect(answerIn(told)).toMatchObject({ tag });
    expect(told.exit).toBe(exit);
    expect(told.end.exit).toBe(exit);
    const advice = told.events.find(({ type }) => type === 'notice')?.['message'];
    if (exit === 7) expect(advice).toMatch(/look it up.*never send it again/i);
    if (status === 403) expect(advice).toMatch(/^The token is valid, but this account may not use .+: check scope/);
    if (status === 403) expect(String(advice).includes('look it up')).toBe(argv === submission);
    const text = await desk.say([...argv], choice);
    expect(text.stderr).not.toContain('paybatch resume');
  });

  test('a service that asks to wait says for how long', async () => {
    const desk = await openDesk();
    const { url } = await serve(({ path }, response) => {
      if (path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
      response.writeHead(429, { 'retry-after': '7' }).end();
    });
    const told = await desk.emit(lookUp, { env: accountIn({ url, clientId: 'acme', clientSecret: 'secret' }) });
    expect(answerIn(told)).toMatchObject({ tag: 'throttled', status: 429, retryAfterMs: 7000 });
  });

  test('a service that nobody reaches', async () => {
    const desk = await openDesk();
    const env = accountIn({ url: await deadUrl(), clientId: 'acme', clientSecret: 'secret' });
    for (const argv of [lookUp, submission]) {
      const told = await desk.emit(argv, { env, input: JSON.stringify(airtime) });
      expect(answerIn(told)).toMatchObject({ tag: 'not-sent' });
      expect(told.exit).toBe(9);
    }
  });

  test('a service whose certificate nobody vouches for: what is known to help comes first', async () => {
    const server = createServer(selfSigned()).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const desk = await openDesk();
    const { exit, stderr } = await desk.say(lookUp, {
      env: accountIn({ url, clientId: 'acme', clientSecret: 'secret' }),
    });
    expect(exit).toBe(9);
    expect(stderr).toMatch(/NODE_EXTRA_CA_CERTS[^\n]*\. Nothing was sent\.$/m);
  });

  test('credentials that are refused', async () => {
    const desk = await openDesk();
    const service = await openService();
    const told = await desk.emit(lookUp, { env: accountIn({ ...service, clientSecret: 'wrong' }) });
    expect(answerIn(told)).toMatchObject({ tag: 'unauthorised' });
    expect(told.exit).toBe(4);
  });
});

describe('wrong input is told field by field, and nothing leaves', () => {
  test.each<readonly [string, readonly string[], string, readonly string[]]>([
    ['no operation', [], '', ['There is no operation', '--list']],
    ['a name that is nearly one', ['find-oder'], '', ['"find-oder"', 'Did you mean find-order?']],
    ['the name of the method', ['submitOrder'], '', ['Did you mean submit-order?']],
    ['a name like no other', ['pay-everybody'], '', ['"pay-everybody".', '--list']],
    ['a query that is missing', ['find-order'], '', ['query.Id is missing']],
    ['a field that is none', ['find-order', '--query', 'id=x'], '', ['query.Id is missing', 'query.id is not a field']],
    ['no value', ['find-order', '--query', 'Id'], '', ['"Id" is not name=value']],
    ['a field twice', ['find-order', '--query', 'Id=a', '--query', 'Id=b'], '', ['Id twice']],
    ['another constant', ['find-order', '--query', 'Id=a', '--query', 'IdType=x'], '', ['query.IdType must be "Orig']],
    ['a query for none', ['find-routes', '--query', 'a=b'], '', ['query is not taken']],
    ['a body for none', ['find-routes', '--data', '-'], '{}', ['body is not taken']],
    ['no body', [NAME], '', ['body is missing']],
    ['a body that is no object', [NAME, '--data', '-'], '[]', ['body must be an object']],
    [
      'a body with gaps',
      [NAME, '--data', '-'],
      '{"originatorConversationId":7,"callbackURL":"u","recipients":[{"currencyCode":"KES","amount":-1,"x":1}]}',
      [
        'body.originatorConversationId must be text',
        'body.recipients[0].phoneNumber is missing',
        'body.recipients[0].amount must be more than 0',
        'body.recipients[0].name is missing',
        'body.recipients[0].x is not a field',
      ],
    ],
    ['an empty list', [NAME, '--data', '-'], '{"recipients":[]}', ['body.recipients needs at least 1']],
    ['no JSON', [NAME, '--data', '-'], '{"secret-name": oops}', ['stdin is not JSON']],
    ['a file that is not there', [NAME, '--data', '@no.json'], '', ['no.json cannot be read (ENOENT)']],
    [
      'a number that loses digits',
      [NAME, '--data', '-'],
      '{"a":9007199254740993}',
      ['9007199254740993', 'lose digits'],
    ],
    ['too much', [NAME, '--data', '-'], ' '.repeat(1_048_577), ['larger than 1048576 bytes']],
  ])('%s', async (_, args, input, said) => {
    const desk = await openDesk();
    const service = await serve((_request, response) => sendJson(response, 200, { access_token: 't' }));
    const env = accountIn({ url: service.url, clientId: 'acme', clientSecret: 'secret' });
    const { exit, fault } = await desk.emit(['api', ...args], { env, input });
    expect(exit).toBe(2);
    for (const text of said) expect(`${fault?.['message']} ${fault?.['fix']}`).toContain(text);
    expect(fault?.['message']).not.toContain('secret-name');
    expect(service.arrived).toEqual([]);
  });

  test('a body that is not UTF-8 is refused: a name would reach the service as another one', async () => {
    const desk = await openDesk();
    await desk.write('body.json', Buffer.from('{"name":"Zoë"}', 'latin1'));
    const { exit, fault } = await desk.emit(['api', NAME, '--data', 'body.json']);
    expect({ exit, message: fault?.['message'] }).toEqual({
      exit: 2,
      message: 'body.json cannot be read: some of its bytes are not UTF-8; save it as UTF-8. Nothing was sent.',
    });
  });

  test('an operation without a path names the setting, and the setting is used', async () => {
    const desk = await openDesk();
    const service = await openService();
    const env = accountIn(service);
    const argv = ['api', 'find-airtime', '--query', 'OriginatorConversationId=a'];
    const missing = await desk.emit(argv, { env });
    expect(missing.exit).toBe(2);
    expect(missing.fault?.['fix']).toContain('paths.find-airtime');

    await desk.writeConfig({ profiles: { env: { paths: { 'find-airtime': '/practice/find-airtime' } } } });
    expect(answerIn(await desk.emit(argv, { env }))).toMatchObject({ tag: 'refused' });

    await desk.writeConfig({ profiles: { env: { paths: { 'find-airtimes': '/practice/find-airtime' } } } });
    expect((await desk.emit(argv, { env })).exit).toBe(2);
  });
});
