/** The pages that a payer sees: a checkout with its buttons, and a payment link. They load nothing from anywhere. */
import { invariant } from '../domain/invariant.ts';
import { moneyText } from '../domain/money.ts';
import type { BookedRequest } from './books/register.ts';
import { statusAt } from './books/statement.ts';
import { isFields, textOf } from './fields.ts';
import { LINK_CURRENCY } from './requests/payment-link.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:2rem auto;padding:0 1rem}' +
  'table{width:100%;border-collapse:collapse}td{padding:.25rem 0;border-bottom:1px solid #ccc}' +
  'td+td{text-align:right}form{display:inline}button{font:inherit;padding:.5rem 1.5rem;margin:1rem 1rem 0 0}' +
  '.practice{background:#fe9;padding:.25rem .5rem}';

const page = (title: string, content: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escaped(title)}</title><style>${STYLE}</style></head><body>` +
  `<p class="practice">SANDBOX: no real money moves.</p><h1>${escaped(title)}</h1>${content}</body></html>`;

const row = (name: string, value: string): string => `<tr><td>${escaped(name)}</td><td>${escaped(value)}</td></tr>`;

/** A checkout: its items, its total, and buttons while it can be paid. `key`: of its page. */
export function checkoutPage(checkout: BookedRequest, at: number, key: string): string {
  const { fields, parts, serviceId } = checkout;
  const [part] = parts;
  invariant(part?.movement, 'a checkout has an amount');
  const { amount } = part.movement;
  const items = fields['checkoutOrderLines'];
  const rows = (Array.isArray(items) ? items : [])
    .filter(isFields)
    .map((item) => row(textOf(item, 'name'), `${amount.currency} ${Number(item['price'])}`));
  // A form that is posted has an Origin, which nothing here takes.
  const button = (word: string, label: string): string =>
    `<form action="/__sandbox/checkout/${serviceId}/${word}"><input type="hidden" name="key" value="${key}">` +
    `<button>${label}</button></form>`;
  const end = part.result
    ? `<p>${escaped(statusAt(part, at).text)}.</p>`
    : button('pay', 'Pay') + button('cancel', 'Cancel');
  const table = `<table>${rows.join('')}${row('Total', moneyText(amount))}</table>`;
  return page(
    `Checkout ${textOf(fields, 'checkoutReference')}`,
    `<p>${escaped(textOf(fields, 'checkoutNotes'))}</p>${table}${end}`,
  );
}

/** A payment link as its payer would see it; it cannot be paid in practice. */
export function linkPage({ fields }: BookedRequest): string {
  const amount = fields['amount'];
  const currency = textOf(fields, 'currency') || LINK_CURRENCY;
  const rows = [
    row('For', textOf(fields, 'description') || '—'),
    row('To', textOf(fields, 'shortCode')),
    row('Amount', typeof amount === 'number' ? `${currency} ${amount}` : 'as the payer likes'),
  ];
  return page('Payment link', `<table>${rows.join('')}</table>`);
}
