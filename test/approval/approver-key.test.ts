import { describe, expect, test } from 'vitest';
import { isLocked, newApproverKey, readApproverKey } from '../../src/approval/approver-key.ts';
import { isSignedBy } from '../../src/ledger/signing.ts';

const PASSPHRASE = 'correct horse battery';

describe('the key of an approver', () => {
  test('signs for its name, and its public part proves it', () => {
    const { publicKey, text } = newApproverKey('jane', PASSPHRASE);
    const read = readApproverKey(text, PASSPHRASE);
    if (typeof read === 'string') throw new Error(read);
    expect(read.name).toBe('jane');
    expect(read.key.name).toBe(publicKey);
    expect(isSignedBy(publicKey, 'a plan', read.key.sign('a plan'))).toBe(true);
    expect(isSignedBy(publicKey, 'another plan', read.key.sign('a plan'))).toBe(false);
  });

  test('is not read with another passphrase, or none', () => {
    const { text } = newApproverKey('jane', PASSPHRASE);
    expect(isLocked(text)).toBe(true);
    expect(readApproverKey(text, 'correct horse batterz')).toBe('wrong-passphrase');
    expect(readApproverKey(text, undefined)).toBe('wrong-passphrase');
  });

  test('lies open only where that was asked for', () => {
    const { text } = newApproverKey('ali', undefined);
    expect(isLocked(text)).toBe(false);
    expect(readApproverKey(text, undefined)).toMatchObject({ name: 'ali' });
  });

  test.each([
    ['without a name', (text: string) => text.replace(/^.*\n/, '')],
    ['with a name that leads out of a folder', (text: string) => text.replace('jane', '../jane')],
    ['cut off', (text: string) => text.slice(0, -60)],
    ['that is no key', () => 'paybatch approver: jane\nhello'],
  ])('is no key %s', (_, change) => {
    expect(readApproverKey(change(newApproverKey('jane', undefined).text), undefined)).toBe('no-key');
  });
});
