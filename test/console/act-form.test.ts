/** A form that acts says with whose money, and carries what its page had seen. */
import { expect, test } from 'vitest';
import { actForm } from '../../src/console/act-form.ts';

const site = { base: '/base/', formToken: 'token', version: '1', folder: '/x', options: '' };
const EVIL = '"><script>alert(1)</script>';
const act = {
  action: 'pay',
  seen: { account: EVIL, ledger: '12.ab', sheet: 'f' },
  legend: 'Pay',
  hidden: { file: EVIL },
  fields: [{ name: 'total', label: 'Total', hint: EVIL, value: EVIL }],
  button: 'Pay now',
} as const;

test('with real money it says so in words, and in a rehearsal that none moves', () => {
  const real = actForm({ ...site, settings: { sandbox: false, profile: 'live' } }, act).text;
  expect(real).toContain('<strong>REAL MONEY</strong> profile <bdi>live</bdi>');
  expect(real).not.toContain('SANDBOX');
  const practice = actForm({ ...site, settings: { sandbox: true, profile: 'sandbox' } }, act).text;
  expect(practice).toContain('<strong>SANDBOX</strong>');
  expect(practice).not.toContain('REAL MONEY');
});

test('text of others stays text in it, and all that was seen goes along', () => {
  const html = actForm({ ...site, settings: { sandbox: false, profile: EVIL } }, act).text;
  expect(html).not.toContain('<script');
  const names = [...html.matchAll(/<input[^>]* name="([^"]+)"/g)].map(([, name]) => name);
  expect(names).toEqual(['form', 'seen-account', 'seen-ledger', 'seen-sheet', 'file', 'total']);
  expect(html).toContain('action="/base/pay"');
  expect(html).toContain('method="post"');
});
