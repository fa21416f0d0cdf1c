/**
 * What the practice service answers in addition to the interface: its controls, for callers that have the token of this
 * start, and the pages of its payers, for anyone who has their address.
 */
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import { moneyText } from '../domain/money.ts';
import { hasPageKey, mayControl, pageKey } from './admission.ts';
import { type BookedRequest, statusAt } from './books/booked.ts';
import type { Books } from './books/statement.ts';
import { isFields, textOf } from './fields.ts';
import { checkoutRecordOf } from './operations/checkouts.ts';
import { LINK_CURRENCY } from './operations/payment-links.ts';
import { empty, html, json, type Reply } from './reply.ts';
import { parseScenario, type Scenario } from './scenario.ts';
import type { Received } from './service.ts';
import type { ServiceContext } from './service-context.ts';

const CONTROL_PREFIX = '/__sandbox/';

/** What the controls work with. */
export interface Controls {
  readonly context: ServiceContext;
  /** The control token of this start. */
  readonly token: string;
  books(): Books;
  /** Plays another scenario from now on. */
  play(scenario: Scenario): void;
}

type Control = (request: Received, controls: Controls) => Reply;

/** Controls by method and first word of the path. Each control reads the rest of the path itself. */
const controlTable: Readonly<Record<string, Control>> = {
  'GET health': () => json(200, { status: 'ok', environment: 'SANDBOX' }),
  'GET books': (_request, { books }) => json(200, books()),
  'GET scenario': (_request, { context }) => json(200, context.scenario()),
  'POST scenario': play,
  'POST holders': hold,
  'POST checkouts': (request, { context }) => decide(request, context),
};

/** Pages by first word of the path. */
const pageTable: Readonly<Record<string, Control>> = {
  checkout: payOrShow,
  pay: showLink,
};

/** Answers controls and pages. Returns `undefined` for any other path. */
export function controlReply(request: Received, controls: Controls): Reply | undefined {
  const { method, path } = request;
  if (!path.startsWith(CONTROL_PREFIX)) return undefined;
  const [first = '', id = ''] = wordsOf(path);
  const page = method === 'GET' && Object.hasOwn(pageTable, first) ? pageTable[first] : undefined;
  if (page && hasPageKey(request, controls.token, id)) return page(request, controls);
  if (!mayControl(request, controls.token)) return notAllowed;
  const control = page ?? controlTable[`${method} ${first}`];
  return control ? control(request, controls) : notThere(request);
}

const notAllowed: Reply = {
  ...json(401, { message: 'The controls need the token of this start: Authorization: Bearer CONTROL_TOKEN.' }),
  headers: { 'www-authenticate': 'Bearer realm="controls"' },
};

const wordsOf = (path: string): readonly string[] => path.slice(CONTROL_PREFIX.length).split('/');
const notThere = ({ method, path }: Received): Reply => json(404, { message: `There is no ${method} ${path}.` });

function play({ body }: Received, { play: begin }: Controls): Reply {
  try {
    const scenario = parseScenario(body);
    begin(scenario);
    return json(200, scenario);
  } catch (error) {
    if (error instanceof Fault) return json(400, { message: error.message, remedy: error.remedy });
    throw error;
  }
}

/** Sets the holder of an account from now on: `{"account": "…", "name": "…"}`. */
function hold({ body }: Received, { context }: Controls): Reply {
  const sent = fieldsIn(body);
  const account = textOf(sent, 'account');
  const name = textOf(sent, 'name');
  if (account === '' || name === '') return json(400, { message: 'account and name are required.' });
  context.books.advance();
  context.books.hold(account, name);
  return json(200, { account, name: context.books.holderOf(account) });
}

function fieldsIn(body: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body);
    return isFields(parsed) ? parsed : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

const decisions = {
  pay: { end: 'completed', field: 'checkoutReturnUrl' },
  cancel: { end: 'cancelled', field: 'checkoutCancelUrl' },
} as const;

/**
 * Ends a checkout: `checkouts/ID/pay` and `checkouts/ID/cancel`. A payer is redirected to the shop; a program gets the
 * record.
 */
function decide(request: Received, context: ServiceContext, isPayer = false): Reply {
  const [, id = '', word = ''] = wordsOf(request.path);
  const checkout = checkoutOf(id, context);
  if (!checkout || (word !== 'pay' && word !== 'cancel')) return notThere(request);
  const { end, field } = decisions[word];
  const at = context.books.advance();
  if (context.books.decide(checkout, end).length === 0)
    return json(409, { message: 'The checkout has ended already.' });
  const back = isPayer ? URL.parse(textOf(checkout.fields, field)) : null;
  return back ? empty(303, { location: back.href }) : json(200, checkoutRecordOf(checkout, at));
}

/** Returns a checkout by the service's identifier or by the client's own. */
const checkoutOf = (id: string, { books }: ServiceContext): BookedRequest | undefined =>
  books.made('create-checkout', id) ?? books.request('create-checkout', decodedOf(id));

function decodedOf(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** Shows a checkout (`checkout/ID`), or does what its buttons ask for (`checkout/ID/pay`, `checkout/ID/cancel`). */
function payOrShow(request: Received, { context, token }: Controls): Reply {
  const [, id = '', word] = wordsOf(request.path);
  if (word !== undefined) return decide(request, context, true);
  const checkout = checkoutOf(id, context);
  return checkout ? html(200, checkoutPage(checkout, context.books.advance(), pageKey(token, id))) : notThere(request);
}

function showLink(request: Received, { context }: Controls): Reply {
  const link = context.books.request('create-payment-link', wordsOf(request.path)[1] ?? '');
  return link ? html(200, linkPage(link)) : notThere(request);
}

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

/** Returns a page for a payer. The page loads nothing from elsewhere. */
const page = (title: string, content: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escaped(title)}</title><style>${STYLE}</style></head><body>` +
  `<p class="practice">SANDBOX: no real money moves.</p><h1>${escaped(title)}</h1>${content}</body></html>`;

const row = (name: string, value: string): string => `<tr><td>${escaped(name)}</td><td>${escaped(value)}</td></tr>`;

/** Returns the page of a checkout: its items, its total, and buttons while it can be paid. `key`: the key of this page. */
function checkoutPage(checkout: BookedRequest, at: number, key: string): string {
  const { fields, parts, serviceId } = checkout;
  const [part] = parts;
  invariant(part?.movement, 'a checkout has an amount');
  const { amount } = part.movement;
  const items = fields['checkoutOrderLines'];
  const rows = (Array.isArray(items) ? items : [])
    .filter(isFields)
    .map((item) => row(textOf(item, 'name'), `${amount.currency} ${Number(item['price'])}`));
  // A posted form has an Origin, and requests with an Origin are refused.
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

/** Returns the page of a payment link as its payer would see it. Links cannot be paid in practice. */
function linkPage({ fields }: BookedRequest): string {
  const amount = fields['amount'];
  const currency = textOf(fields, 'currency') || LINK_CURRENCY;
  const rows = [
    row('For', textOf(fields, 'description') || '—'),
    row('To', textOf(fields, 'shortCode')),
    row('Amount', typeof amount === 'number' ? `${currency} ${amount}` : 'as the payer likes'),
  ];
  return page('Payment link', `<table>${rows.join('')}</table>`);
}
