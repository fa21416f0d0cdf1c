import { describe, expect, test } from 'vitest';
import { newApproverKey, readApproverKey } from '../../src/approval/approver-key.ts';
import { frozenSettings } from '../../src/approval/freeze.ts';
import { planText, readPlan } from '../../src/approval/plan.ts';
import { canonicalText } from '../../src/domain/canonical.ts';
import { isSignedBy } from '../../src/ledger/signing.ts';
import { examplePlan } from '../support/example-plan.ts';

const bytesOf = (text: string): Uint8Array => Buffer.from(text);

function signatory(name: string) {
  const read = readApproverKey(newApproverKey(name, undefined).text, undefined);
  if (typeof read === 'string') throw new Error(read);
  return read;
}

describe('a plan', () => {
  test('is read as it was made, money and all', () => {
    const { plan } = readPlan(bytesOf(planText(examplePlan)));
    expect(plan).toEqual(examplePlan);
  });

  test('of a sheet that leaves rows out is read with them, and has none of them twice', () => {
    const leftOut = [
      { row: 5, reason: 'on leave', amount: examplePlan.total },
      { row: 6, reason: 'cash' },
    ];
    const plan = { ...examplePlan, leftOut };
    expect(readPlan(bytesOf(planText(plan))).plan).toEqual(plan);
    const twice = { ...examplePlan, leftOut: [{ row: 2, reason: 'on leave' }] };
    expect(() => readPlan(bytesOf(planText(twice)))).toThrow('it has a row twice');
  });

  test('says first that it holds personal data', () => {
    expect(planText(examplePlan).slice(0, 200)).toContain('holds personal data');
  });

  test('signed by its maker is refused once anything else stands there', () => {
    const text = planText(examplePlan, signatory('mary'));
    expect(readPlan(bytesOf(text)).plan.signed?.name).toBe('mary');
    const forged = text.replace('"maker": "finance@desk"', '"maker": "finance@desl"');
    expect(() => readPlan(bytesOf(forged))).toThrow('signature of its maker');
  });

  test('is signed over what anybody can write who knows RFC 8785', () => {
    const { signed, ...unsigned } = JSON.parse(planText(examplePlan, signatory('mary')));
    expect(isSignedBy(signed.key, canonicalText(unsigned), signed.signature)).toBe(true);
    // Whatever order the members stand in.
    const turned = Object.fromEntries(Object.entries(unsigned).reverse());
    expect(isSignedBy(signed.key, canonicalText(turned), signed.signature)).toBe(true);
  });

  test('with half of a character is refused before anybody signs it', () => {
    const text = planText({ ...examplePlan, organisation: 'Acme \ud800' });
    expect(() => readPlan(bytesOf(text))).toThrow('the value at "organisation" is not valid');
  });

  test.each([
    ['of another version', (text: string) => text.replace('"v": 1', '"v": 2'), 'version 2'],
    ['that is no JSON', (text: string) => text.slice(0, -3), 'not a paybatch plan'],
    ['with a space more', (text: string) => text.replace('"v": 1', '"v":  1'), 'edited'],
    ['with a field twice', (text: string) => text.replace('"v": 1,', '"v": 1,\n "v": 1,'), 'edited'],
    ['with a field more', (text: string) => text.replace('"v": 1,', '"v": 1,\n "w": 1,'), 'is not valid'],
    ['with a row of another amount', (text: string) => text.replace('"KES 700.00"', '"KES 900.00"'), 'sum of its rows'],
    ['with another amount in its figures', (text: string) => text.replaceAll('"KES 1500.50"', '"KES 150.50"'), 'sum'],
    ['with an amount written otherwise', (text: string) => text.replace('"KES 700.00"', '"KES 700.0"'), 'is not valid'],
    [
      'with line ends of a mail program',
      (text: string) => text.replaceAll('\n', '\r\n'),
      'line ends were changed on its way',
    ],
    ['with a mark in front', (text: string) => `\uFEFF${text}`, 'BOM'],
    ['with a mark in front, and edited', (text: string) => `\uFEFF${text.replace('"v": 1', '"v":  1')}`, 'edited'],
    ['without its last line end', (text: string) => text.trimEnd(), 'last line end'],
    [
      'with spaces of another program',
      (text: string) => `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`,
      'edited',
    ],
    ['with a body that is no hash', (text: string) => text.replace('a'.repeat(64), 'a'.repeat(63)), 'is not valid'],
  ])('%s is refused', (_, change, why) => {
    const changed = change(planText(examplePlan));
    expect(changed).not.toBe(planText(examplePlan));
    expect(() => readPlan(bytesOf(changed))).toThrow(why);
  });
});

describe('a file that is said to be a plan', () => {
  test.each([
    ['lists within lists', '['.repeat(1_000_000)],
    ['more values than a plan can have', `[${'0,'.repeat(2_100_000)}0]`],
    ['a text without an end', `{"v": "${'\\"'.repeat(1000)}`],
  ])('with %s is refused before it costs memory', (_, text) => {
    expect(() => readPlan(bytesOf(text))).toThrow('not a paybatch plan');
  });

  test('in bytes that are no text is not the one text of a plan', () => {
    const made = Buffer.from(planText({ ...examplePlan, maker: 'finance\uFFFD' }), 'utf8');
    expect(readPlan(made).plan.maker).toBe('finance\uFFFD');
    const at = made.indexOf(Buffer.from('\uFFFD'));
    const other = Buffer.concat([made.subarray(0, at), Buffer.from([0xff]), made.subarray(at + 3)]);
    expect(() => readPlan(other)).toThrow('edited');
  });

  test('is judged by its values and not by what its texts hold', () => {
    const folder = `${'[{,"\\'.repeat(200)}]`;
    const plan = readPlan(bytesOf(planText({ ...examplePlan, sheet: { ...examplePlan.sheet, folder } })));
    expect(plan.plan.sheet.folder).toBe(folder);
  });
});

describe('the settings of a plan', () => {
  const settings = Object.fromEntries(examplePlan.settings) as unknown as Parameters<typeof frozenSettings>[0]; // texts are values too

  test('hold neither who pays nor the secret address of callbacks', () => {
    const remitter = { name: 'Acme Ltd', idNumber: 'A1234567' };
    const callbackUrl = 'https://pay.acme.example/secret-path';
    const frozen = JSON.stringify(frozenSettings({ ...settings, remitter, callbackUrl }, { service: 's' }));
    expect(frozen).not.toMatch(/A1234567|secret-path|Acme/);
    const changed = { ...remitter, idNumber: 'A1234568' };
    expect(JSON.stringify(frozenSettings({ ...settings, remitter: changed, callbackUrl }, { service: 's' }))).not.toBe(
      frozen,
    );
  });
});
