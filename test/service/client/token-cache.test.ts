import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../src/service/client/reply.ts';
import { type TokenAnswer, TokenCache } from '../../../src/service/client/token-cache.ts';
import { FakeClock, settled } from '../../support/fake-clock.ts';

/** A cache whose requests are counted; the nth gives the token `t<n>`. */
function counting(life: { readonly expires_in?: string | number | undefined } = { expires_in: 1000 }) {
  const clock = new FakeClock();
  let requests = 0;
  const answers: Reply<TokenAnswer>[] = [];
  const cache = new TokenCache(async () => {
    requests += 1;
    await settled();
    const value = { access_token: `t${requests}`, ...life };
    return answers.shift() ?? { tag: 'accepted', status: 200, value };
  }, clock);
  return { clock, cache, answers, count: () => requests };
}

const tokenOf = async (cache: TokenCache): Promise<string> => {
  const token = await cache.get();
  return token.tag === 'token' ? token.value : token.tag;
};

describe('a token', () => {
  test('is requested once for any number of callers', async () => {
    const { cache, count } = counting();
    const tokens = await Promise.all(Array.from({ length: 100 }, () => tokenOf(cache)));
    expect(new Set(tokens)).toEqual(new Set(['t1']));
    expect(count()).toBe(1);
  });

  test('is renewed at four fifths of its life, once for everybody', async () => {
    const { clock, cache, count } = counting();
    await cache.get();
    await clock.pass(799_999);
    expect(await tokenOf(cache)).toBe('t1');
    await clock.pass(1);
    expect(await Promise.all([tokenOf(cache), tokenOf(cache)])).toEqual(['t2', 't2']);
    expect(count()).toBe(2);
  });

  test.each([
    ['nothing', undefined, 60],
    ['a text of digits', '1000', 1000],
    ['a word', 'soon', 60],
    ['nought', 0, 60],
    ['less than nought', -5, 60],
    ['a year', 31_536_000, 3600],
    ['an empty text', '', 60],
  ])('that says of its life %s is renewed in time', async (_name, expiresIn, seconds) => {
    const { clock, cache, count } = counting({ expires_in: expiresIn });
    await cache.get();
    await clock.pass(seconds * 800 - 1);
    await cache.get();
    expect(count()).toBe(1);
    await clock.pass(1);
    await cache.get();
    expect(count()).toBe(2);
  });

  test('that was refused is dropped once, however many callers had it', async () => {
    const { cache, count } = counting();
    await cache.get();
    cache.drop('t1');
    expect(await tokenOf(cache)).toBe('t2');
    cache.drop('t1');
    expect(await tokenOf(cache)).toBe('t2');
    expect(count()).toBe(2);
  });

  test('that could not be had is requested again by the next caller', async () => {
    const { cache, answers, count } = counting();
    answers.push({ tag: 'ambiguous', reason: 'HTTP 500' });
    expect(await Promise.all([tokenOf(cache), tokenOf(cache)])).toEqual(['ambiguous', 'ambiguous']);
    expect(await tokenOf(cache)).toBe('t2');
    expect(count()).toBe(2);
  });
});
