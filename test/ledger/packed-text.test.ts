/** Packed texts: they come back letter for letter, and take few bytes where another text is like them. */
import { describe, expect, test } from 'vitest';
import { likeText, nothingLike, packText, unpackText } from '../../src/ledger/packed-text.ts';
import { chanceOf } from '../support/seeded-random.ts';

const UUID = '7c761b52-7e12-8d0b-a5df-fbf42f5127bb';
const HASH = '90963577d3f4135247b7fea7ae244599fc048b245e94db3d40e91ba1b4f78315';
const order = (name: string, id = UUID, amount = 1114): string =>
  JSON.stringify({ id, recipient: { name, phone: '+254710004999', account: '+254710004999' }, amount, hash: HASH });

const like = likeText(order('Person 1'));
const back = (text: string, against = like): string => unpackText(packText(text, against), against);

describe('a packed text', () => {
  test.each<readonly [what: string, text: string]>([
    ['like the other one', order('Person 2')],
    ['the other one itself', order('Person 1')],
    ['empty', ''],
    ['of quotation marks alone', '"""'],
    ['of another form', '[1,2,3]'],
    ['with a name in it that needs escapes', order('O"Neill \\ "x" \u{1F600} é\n')],
    ['with numbers that are no numbers of ours', '{"a":007,"b":1e3,"c":-1,"d":12345678901234567890,"e":0}'],
    ['with ids in capitals', order('x', UUID.toUpperCase())],
    ['longer than any before', order('x'.repeat(10_000))],
    [
      'with a hundred pieces of its own',
      JSON.stringify(Array.from({ length: 100 }, (_, index) => `own ${index % 80}`)),
    ],
    ['with as many of another kind', JSON.stringify(Array.from({ length: 100 }, () => ({ name: UUID, n: 63 })))],
  ])('that is %s comes back letter for letter', (_, text) => {
    expect(back(text)).toBe(text);
    expect(back(text, nothingLike)).toBe(text);
  });

  test('takes the bytes of what differs, ids and hashes half of theirs', () => {
    expect(packText(order('Person 1'), like)).toHaveLength(1);
    expect(packText(order('Otieno'), like).length).toBeLessThan('Otieno'.length + 5);
    const id = '11111111-1111-8111-9111-111111111111';
    expect(packText(order('Person 1', id), like).length).toBeLessThan(16 + 5);
    expect(packText(order('Person 1', UUID, 2_000_000), like).length).toBeLessThan(4 + 4);
  });

  test('has the same bytes whenever it is packed', () => {
    const texts = ['Wanjiku', 'Otieno', 'Achieng'].map((name) => order(name));
    const first = texts.map((text) => packText(text, like));
    packText('x'.repeat(100_000), like);
    expect(texts.map((text) => packText(text, like))).toEqual(first);
  });

  test('comes back whatever it is made of, against whatever it is packed', () => {
    const chance = chanceOf(7);
    const words = ['{', '}', ':1,', ':0}', 'name', UUID, HASH, ':99999999999999,', '', ' ', 'é', ':12}', '"'];
    const some = (): string => Array.from({ length: chance.between(0, 90) }, () => chance.pick(words)).join('"');
    for (let round = 0; round < 500; round++) {
      const [text, other] = [some(), likeText(some())];
      expect(back(text, other)).toBe(text);
    }
  });
});

describe('bytes that are no packed text', () => {
  test.each<readonly [what: string, bytes: unknown]>([
    ['a text', '{}'],
    ['nothing', null],
    ['more pieces than there are', Uint8Array.of(0x3f, 0x70)],
    ['a place that is not there', Uint8Array.of(0xff, 0x70)],
    ['a piece of its own that it has not', Uint8Array.of(0x80)],
    ['a form that there is not', Uint8Array.of(0x4f)],
    ['a piece that is cut off', Uint8Array.of(0x41, 1, 2, 3)],
    ['a number that is cut off', Uint8Array.of(0x43, 0x80)],
  ])('are refused: %s', (_, bytes) => {
    expect(() => unpackText(bytes, like)).toThrow(SyntaxError);
  });
});
