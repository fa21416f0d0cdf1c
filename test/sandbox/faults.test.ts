import { describe, expect, test } from 'vitest';
import { Fault } from '../../src/domain/fault.ts';
import { strikeOf } from '../../src/sandbox/faults.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { namedScenarios, parseScenario } from '../../src/sandbox/scenario.ts';
import { orderBody, type Practice, practise, temporaryFolder } from './practice.ts';

/** What the client sees of a submission. */
async function seen(practice: Practice, id: string): Promise<string> {
  try {
    const { status, body } = await practice.post(orderBody(id));
    return `${status} ${body ? 'json' : 'no json'}`;
  } catch (error) {
    if (error instanceof TypeError) return 'broken';
    throw error;
  }
}

const isTaken = async (practice: Practice, id: string): Promise<boolean> => {
  await practice.play('happy');
  return practice.sandbox.books().orders.some((order) => order.id === id);
};

describe('a fault of the service', () => {
  test.each([
    ['reset-before=1', 'broken', false],
    ['error-before=1', '500 no json', false],
    ['throttle=1', '429 no json', false],
    ['token-expiry=1', '401 no json', false],
    ['lost-answer=1', 'broken', true],
    ['error-after=1', '500 no json', true],
    ['garbage=1', '200 no json', true],
    ['truncate=1', '200 no json', true],
  ])('%s: the client sees "%s", and the order is taken: %s', async (scenario, answer, taken) => {
    const practice = await practise({ scenario });
    expect(await seen(practice, 'o')).toBe(answer);
    expect(practice.sandbox.books().faults).toEqual({ [scenario.replace('=1', '')]: 1 });
    expect(await isTaken(practice, 'o')).toBe(taken);
  });

  test('an error before and an error after the service acted look alike', async () => {
    const before = await practise({ scenario: 'error-before=1' });
    const after = await practise({ scenario: 'error-after=1' });
    const [one, other] = [await before.post(orderBody('o')), await after.post(orderBody('o'))];
    expect([one.status, one.text]).toEqual([other.status, other.text]);
  });

  test('a throttled request is told when to come back', async () => {
    const practice = await practise({ scenario: 'throttle=1,retry-after=7' });
    expect((await practice.find('o')).headers.get('retry-after')).toBe('7');
  });

  test('an expired token stays expired until a new one is fetched', async () => {
    const practice = await practise({ scenario: 'token-life=60' });
    practice.clock.pass(59_999);
    expect((await practice.post(orderBody('a'))).status).toBe(200);
    practice.clock.pass(1);
    const refused = await practice.post(orderBody('b'));
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="invalid_token", error_description="The token expired at \'11/27/2026 06:01:00\'"',
    );
    await practice.renewToken();
    expect((await practice.post(orderBody('b'))).status).toBe(200);
  });

  test('a slow service acts first and answers late', async () => {
    const practice = await practise({ scenario: 'slow=200' });
    await practice.post(orderBody('o'));
    expect(practice.clock.sleeps).toContain(200);
  });

  test('a look-up does not see a new order until the read lag is over', async () => {
    const practice = await practise({ scenario: 'read-lag=500' });
    await practice.post(orderBody('o'));
    practice.clock.pass(499);
    expect((await practice.find('o')).status).toBe(404);
    practice.clock.pass(1);
    expect((await practice.find('o')).status).toBe(200);
  });
});

describe('faults are repeatable', () => {
  const ids = Array.from({ length: 60 }, (_, index) => `order-${index}`);
  const scenario = 'seed=7,lost-answer=0.2,reset-before=0.2,error-before=0.1,error-after=0.1,garbage=0.1,throttle=0.1';

  /** Submits every order twice, in the order and with the neighbours given. */
  async function outcomes(order: readonly string[], atOnce: boolean): Promise<ReadonlyMap<string, string>> {
    const practice = await practise({ scenario });
    const twice = async (id: string): Promise<readonly [string, string]> => [
      id,
      `${await seen(practice, id)}, ${await seen(practice, id)}`,
    ];
    const results: (readonly [string, string])[] = [];
    if (atOnce) results.push(...(await Promise.all(order.map(twice))));
    else for (const id of order) results.push(await twice(id));
    return new Map(results);
  }

  test('for the same seed, whatever the order and the neighbours of the requests', async () => {
    const straight = await outcomes(ids, false);
    const mixed = await outcomes(ids.toReversed(), true);
    expect(ids.map((id) => mixed.get(id))).toEqual(ids.map((id) => straight.get(id)));
    expect(new Set(straight.values()).size).toBeGreaterThan(5);
  });

  test('and differ for another seed and for the next time', () => {
    const strikes = (seed: number, times: number): string =>
      JSON.stringify(ids.map((id) => strikeOf(parseScenario(`${scenario},seed=${seed}`), id, times)));
    expect(strikes(7, 0)).toBe(strikes(7, 0));
    expect(strikes(8, 0)).not.toBe(strikes(7, 0));
    expect(strikes(7, 1)).not.toBe(strikes(7, 0));
  });
});

describe('faults before and after', () => {
  test('are drawn apart from one another', () => {
    const scenario = parseScenario('reset-before=0.5,lost-answer=0.5');
    const strikes = Array.from({ length: 400 }, (_, index) => strikeOf(scenario, `order-${index}`, 0));
    const shares = [
      strikes.filter(({ before }) => before !== undefined).length,
      strikes.filter(({ after }) => after !== undefined).length,
    ];
    expect(shares[0]).toBeGreaterThan(150);
    expect(shares[0]).toBeLessThan(250);
    expect(shares[1]).toBeGreaterThan(60);
    expect(shares[1]).toBeLessThan(140);
  });
});

describe('a scenario', () => {
  test.each(Object.keys(namedScenarios))('%s can be played', (name) => {
    expect(parseScenario(name).text).toBe(name);
  });

  test('is read from names and single settings, the later one wins', () => {
    const scenario = parseScenario(' flaky, lost-answer=0.5 ,seed=x,duplicates=replay');
    expect(scenario).toMatchObject({ seed: 'x', duplicates: 'replay' });
    expect([scenario.knobs['lost-answer'], scenario.knobs.throttle, scenario.knobs.slow]).toEqual([0.5, 0.03, 0]);
  });

  test.each([
    'lost-answers=0.5',
    'stormy',
    'throttle=2',
    'throttle=',
    'slow=-1',
    'accept-status=201',
    'duplicates=maybe',
  ])('"%s" is refused with what would do', (text) => {
    expect(() => parseScenario(text)).toThrow(Fault);
  });

  test.each([
    ['accept-status=201', 'accept-status is 200 or 202.'],
    ['throttle=2', 'throttle is a number from 0 to 1.'],
  ])('"%s" is told which values there are', (text, remedy) => {
    expect(() => parseScenario(text)).toThrow(expect.objectContaining({ remedy }));
  });

  test('is changed at run time, and a mistake in it changes nothing', async () => {
    const practice = await practise();
    expect((await practice.play('down')).status).toBe(200);
    expect(await seen(practice, 'a')).toBe('500 no json');
    expect((await practice.send('/connect/token', { method: 'POST' })).status).toBe(500);
    expect((await practice.play('sunny')).status).toBe(400);
    expect((await practice.send('/api_health_check', {})).status).toBe(503);
    await practice.play('happy');
    expect((await practice.send('/api_health_check', {})).text).toBe('Healthy');
    expect(await seen(practice, 'a')).toBe('200 json');
  });

  test('low-balance leaves every wallet a thousand, and the books still tie out', async () => {
    const practice = await practise();
    await practice.post(orderBody('a', { amount: 2000 }));
    practice.clock.pass(10_000);
    await practice.play('low-balance');
    const { opening, paid, fees, balance } = practice.sandbox.books();
    expect([opening['KES'], paid['KES'], fees['KES'], balance['KES']]).toEqual([
      '3009.00',
      '2000.00',
      '9.00',
      '1000.00',
    ]);
  });

  test('low-balance means it for books that were begun without it, too', async () => {
    const folder = await temporaryFolder();
    const before = await practise({ folder });
    await before.post(orderBody('a', { amount: 2000 }));
    before.clock.pass(10_000);
    await before.sandbox.close();
    const { sandbox } = await practise({ folder, clock: before.clock, scenario: 'low-balance' });
    const { paid, balance } = sandbox.books();
    expect([paid['KES'], balance['KES'], balance['UGX']]).toEqual(['2000.00', '1000.00', '1000']);
  });

  test('low-balance is over when another scenario begins, also after a restart', async () => {
    const folder = await temporaryFolder();
    const before = await practise({ folder, scenario: 'low-balance' });
    const held = () => before.sandbox.books().balance['KES'];
    const low = held();
    await before.play('happy');
    const usual = held();
    await before.play('low-balance');
    await before.sandbox.close();
    const { sandbox } = await practise({ folder, clock: before.clock });
    expect([low, usual, sandbox.books().balance['KES']]).toEqual(['1000.00', '500000000.00', '500000000.00']);
  });

  test('a control that is not there is not found', async () => {
    const practice = await practise();
    expect((await practice.send('/__sandbox/nothing', {})).status).toBe(404);
  });

  test('a port that is taken is a fault', async () => {
    const { sandbox, clock } = await practise();
    const port = Number(new URL(sandbox.url).port);
    await expect(startSandbox({ port, clock, random: () => 0 })).rejects.toThrow(Fault);
  });
});
