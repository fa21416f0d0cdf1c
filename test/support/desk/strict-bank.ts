/**
 * A service that takes bank orders to the letter of the published table, and nothing else. Written by hand from that table, and not
 * from our contract or sandbox, so that no mistake can be in both: a field that is missing, of another type, too long or not
 * listed refuses the order in the published shape.
 */
import { randomUUID } from 'node:crypto';
import { sendJson, serve } from '../loopback.ts';

type Json = Readonly<Record<string, unknown>>;

/** A text of at most so many characters, a day, or a whole number. */
type Shape = number | 'day' | 'integer';

const anyText = 1000;

/** Mandatory on both pages. */
const everyRemitter: Readonly<Record<string, Shape>> = {
  name: 128,
  address: 128,
  phoneNumber: 13,
  idType: 13,
  idNumber: 13,
  country: 50,
  ccy: 'integer',
  financialInstitution: 64,
  sourceOfFunds: 64,
  principalActivity: 64,
};

/** The mandatory fields of a line, by page. */
const pages = {
  local: {
    remitter: { ...everyRemitter, institutionIdentifier: anyText },
    recipient: {
      name: 64,
      address: 64,
      idType: 13,
      idNumber: 13,
      financialInstitution: anyText,
      primaryAccountNumber: 50,
      mccmnc: 6,
      ccy: 'integer',
      country: 3,
    },
  },
  international: {
    remitter: {
      ...everyRemitter,
      email: anyText,
      idIssuePlace: 64,
      idIssueDate: 'day',
      idExpireDate: 'day',
      nationality: 64,
      dateOfBirth: 'day',
      city: anyText,
      postalCode: anyText,
    },
    // The page is cut here; these are the mandatory ones of the general table.
    recipient: { name: 64, primaryAccountNumber: 50, ccy: 'integer', country: 3 },
  },
} as const satisfies Record<string, Record<'remitter' | 'recipient', Readonly<Record<string, Shape>>>>;

export type Page = keyof typeof pages;

/** Listed on one of the pages, and may be missing. */
const mayBeMissing: Readonly<Record<'remitter' | 'recipient', Readonly<Record<string, Shape>>>> = {
  remitter: { ...pages.local.remitter, ...pages.international.remitter, state: anyText },
  recipient: {
    ...pages.local.recipient,
    emailAddress: 64,
    phoneNumber: 13,
    institutionIdentifier: anyText,
    purpose: anyText,
  },
};

/** What is wrong with a value; undefined: nothing. */
function wrong(value: unknown, shape: Shape): string | undefined {
  if (shape === 'integer') return Number.isInteger(value) ? undefined : 'must be a whole number';
  if (typeof value !== 'string') return 'must be a text';
  if (shape === 'day') return /^\d{4}\/\d{2}\/\d{2}$/.test(value) ? undefined : 'must be a day like 2030/12/31';
  return value.length > shape ? `must have at most ${shape} characters` : undefined;
}

interface Complaint {
  readonly field: string;
  readonly message: string;
}

function complaintsAbout(order: Json, page: Page): readonly Complaint[] {
  const lines = order['paymentOrderLines'];
  if (!Array.isArray(lines)) return [{ field: 'PaymentOrderLines', message: 'The PaymentOrderLines are missing.' }];
  return lines.flatMap((line: Json) =>
    (['remitter', 'recipient'] as const).flatMap((part) => {
      const needed: Readonly<Record<string, Shape>> = pages[page][part];
      const fields = (line[part] ?? {}) as Json;
      const missing = Object.keys(needed).filter((field) => [undefined, null, ''].includes(fields[field] as string));
      const given = Object.entries(fields).filter(([field]) => !missing.includes(field));
      return [
        ...missing.map((field) => ({ field: `${part}.${field}`, message: `The ${part} ${field} is missing.` })),
        ...given.flatMap(([field, value]) => {
          const shape = needed[field] ?? mayBeMissing[part][field];
          const why = shape === undefined ? 'is not a field of this order' : wrong(value, shape);
          return why === undefined ? [] : [{ field: `${part}.${field}`, message: `The ${part} ${field} ${why}.` }];
        }),
      ];
    }),
  );
}

const CHANNEL = 21;

export interface StrictBank {
  readonly url: string;
  /** Orders that were taken, as they came. */
  readonly taken: ReadonlyMap<string, Json>;
  /** The route that pays banks. */
  readonly route: Readonly<Record<'routeId' | 'transactionTypeId', string>> & { readonly channelType: number };
}

/** Starts a service that keeps to one of the pages; it pays what it takes at once. */
export async function openStrictBank(page: Page): Promise<StrictBank> {
  const taken = new Map<string, Json>();
  const ids = new Map<string, string>();
  const { url } = await serve((request, response) => {
    switch (`${request.method} ${request.path}`) {
      case 'POST /connect/token':
        return sendJson(response, 200, { access_token: 't', expires_in: 3600, token_type: 'Bearer' });
      case 'GET /v1/charge/fetch-charges': {
        const band = { value: 30, rangeLowerLimit: 1, rangeUpperLimit: 1_000_000 };
        return sendJson(response, 200, { minimumCharge: 30, maximumCharge: 30, graduatedScaleList: [band] });
      }
      case 'GET /v1/customer-accounts/get-wallet-balance':
        return sendJson(response, 200, { status: '00', balance: 1_000_000 });
      case 'POST /v1/payment-order/new-order': {
        const order = JSON.parse(request.body) as Json;
        const id = String(order['originatorConversationId']);
        const errors = complaintsAbout(order, page);
        const about = { appDomainName: 'LIVE', timestamp: '2026-11-27T06:00:00.2483928Z' };
        const named = { ...about, systemConversationId: randomUUID(), originatorConversationId: id };
        if (errors.length > 0) return sendJson(response, 400, { ...named, status: 'BadRequest', errors });
        taken.set(id, order);
        ids.set(id, named.systemConversationId);
        return sendJson(response, 202, { message: { ...named, remarks: 'order submission accepted' } });
      }
      case 'GET /v1/payment-order/check-status': {
        const id = request.query.get('Id') ?? '';
        const order = taken.get(id);
        if (!order) return sendJson(response, 404, { id, idType: 'OriginatorConversationId', message: 'not found' });
        return sendJson(response, 200, paidRecord(id, ids.get(id) ?? '', order));
      }
      default:
        return sendJson(response, 404, {});
    }
  });
  return { url, taken, route: { routeId: randomUUID(), channelType: CHANNEL, transactionTypeId: randomUUID() } };
}

const paidRecord = (id: string, serviceId: string, order: Json): object => ({
  originatorConversationId: id,
  conversationId: serviceId,
  isProcessed: true,
  orderLines: (order['paymentOrderLines'] as readonly Json[]).map(({ recipient, transaction }) => ({
    remitter: { name: null, address: null, phoneNumber: '' },
    recipient,
    transaction,
    transactionOutcome: {
      paymentAmount: Reflect.get(Object(transaction), 'amount'),
      feeAmount: 30,
      transactionStatus: 4,
      transactionStatusDescription: 'Completed',
      resultCode: '0',
      resultCodeDescription: null,
      thirdPartyPayload: { thirdPartyReceiptNumber: 'TX00000001' },
    },
  })),
});
