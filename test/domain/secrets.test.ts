import { describe, expect, test } from 'vitest';
import { Secrets } from '../../src/domain/secrets.ts';

const SECRET = 'p+ss/w"rd\\é=1';

function knowing(...all: readonly (string | undefined)[]): Secrets {
  const secrets = new Secrets();
  for (const one of all) secrets.add(one);
  return secrets;
}

describe('a secret', () => {
  test.each([
    ['as it is', SECRET],
    ['in an address', encodeURIComponent(SECRET)],
    ['in a form', new URLSearchParams({ s: SECRET }).toString().slice(2)],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in base64', Buffer.from(SECRET).toString('base64').replace(/=+$/, '')],
    ['in hexadecimal digits', Buffer.from(SECRET).toString('hex')],
  ])('is taken out of a text %s', (_, written) => {
    expect(knowing(SECRET).hide(`<${written}> and <${written}>`)).toBe('<[secret]> and <[secret]>');
  });

  test('is taken out of JSON that escapes it as it likes, and nothing else of it changes', () => {
    const escaped = Array.from(SECRET, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    const json = `{"a":1.50,"a":"x\\n","said":"Bearer ${escaped}!","${escaped}":"\\"","b":"\\\\"}`;
    expect(JSON.parse(json)).toMatchObject({ said: `Bearer ${SECRET}!` });
    expect(knowing(SECRET).hideInJson(json)).toBe(
      '{"a":1.50,"a":"x\\n","said":"Bearer [secret]!","[secret]":"\\"","b":"\\\\"}',
    );
    expect(knowing(SECRET).hideInJson('<p>"no \\q JSON" "')).toBe('<p>"no \\q JSON" "');
  });

  test('that is so short that it may be anybody’s word is left, and so is what is none', () => {
    expect(knowing('1234567', undefined, '').hide('0712345678 1234567')).toBe('0712345678 1234567');
  });

  test('of the client is known for ever, and so are the latest tokens', () => {
    const tokens = Array.from({ length: 200 }, (_, at) => `token-number-${1000 + at}`);
    const secrets = knowing(SECRET, ...tokens);
    expect(secrets.hide(`${SECRET} ${tokens.at(-1)}`)).toBe('[secret] [secret]');
    expect(secrets.hide(tokens[0] ?? '')).toBe(tokens[0]);
  });
});
