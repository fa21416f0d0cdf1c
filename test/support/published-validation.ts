/**
 * A service that validates accounts as the provider's pages describe it, written from those pages alone: a request without
 * one of its mandatory fields is refused, results come to the callback address, and a look-up tells them as well.
 */
import { type Arrived, sendJson, serve } from './loopback.ts';

/** Mandatory fields of a request, with what each must be; the page names the account otherwise in its errors. */
const mandatory: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => value === 1 || value === 2,
  systemTraceAuditNumber: isFilled,
  primaryAccountNumber: isFilled,
  institutionCode: isFilled,
  callBackUrl: (value) => isFilled(value) && URL.parse(String(value))?.protocol === 'https:',
  callBackFormat: (value) => value === 'JSON' || value === 'XML',
};
const namesInErrors: Readonly<Record<string, string>> = { primaryAccountNumber: 'AccountNumber' };

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

type Answer = readonly [status: number, body: object];
type Request = Readonly<Record<string, unknown>>;

export interface PublishedValidation {
  readonly url: string;
  /** Requests that were taken, in order. */
  readonly taken: readonly Request[];
  /** Names of fields for which a request was refused, in order. */
  readonly refused: readonly string[];
}

/** Knows holders by the digits of their accounts; one that nobody holds fails in the words of the page. */
export async function publishedValidation(holders: Readonly<Record<string, string>>): Promise<PublishedValidation> {
  const taken: Request[] = [];
  const refused: string[] = [];
  const { url } = await serve((request, response) => {
    const { path, authorization } = request;
    const operation = operations[`${request.method} ${path}`];
    if (path === '/connect/token') sendJson(response, 200, token);
    else if (authorization !== `Bearer ${token.access_token}`) response.writeHead(401).end();
    else if (operation) sendJson(response, ...operation(request));
    else response.writeHead(404).end();
  });
  const operations: Readonly<Record<string, (request: Arrived) => Answer>> = {
    'POST /v1/account/validate': take,
    'GET /v1/account/query': emit,
  };

  function take({ body }: Arrived): Answer {
    const asked: Request = JSON.parse(body);
    const missing = Object.entries(mandatory).flatMap(([name, fits]) => (fits(asked[name]) ? [] : [name]));
    if (missing.length > 0) {
      refused.push(...missing);
      return [400, refusalOf(missing)];
    }
    const { systemTraceAuditNumber } = asked;
    if (holderOf(asked) === undefined) {
      return [200, { systemTraceAuditNumber, errorMessage: 'Something went wrong' }];
    }
    taken.push(asked);
    return [200, { systemTraceAuditNumber, message: 'Request Accepted. Kindly await processing' }];
  }

  function emit({ query }: Arrived): Answer {
    const asked = taken.find(({ systemTraceAuditNumber }) => systemTraceAuditNumber === query.get('stan'));
    if (!asked) return [404, { id: query.get('stan'), idType: 'stan', message: 'not found' }];
    return [200, recordOf(asked, holderOf(asked) ?? '')];
  }

  const holderOf = ({ primaryAccountNumber }: Request): string | undefined =>
    holders[String(primaryAccountNumber).replace(/\D/g, '')];
  return { url, taken, refused };
}

const token = { access_token: 'tok', expires_in: 3600, token_type: 'Bearer', scope: 'service_api' };

const refusalOf = (missing: readonly string[]): object => ({
  errors: Object.fromEntries(
    missing.map((name) => {
      const named = namesInErrors[name] ?? name;
      return [named, [`The ${named} field is required.`]];
    }),
  ),
  type: 'https://tools.ietf.org/html/rfc7231#section-6.5.1',
  title: 'One or more validation errors occurred.',
  status: 400,
  traceId: '00-03529608f740804d9e7bf8210d6e1cb9-df15d6e73e04804c-00',
});

/** The status record, in which status may be text, times have no zone, and the party's number is not the one asked for. */
const recordOf = (asked: Request, holder: string): object => ({
  validationType: asked['type'],
  validationTypeDesc: 'Mobile',
  accountNumber: asked['primaryAccountNumber'],
  accountNumberCCY: asked['ccy'] ?? null,
  institutionCode: asked['institutionCode'],
  countryCode: asked['countryCode'] ?? null,
  callbackURL: asked['callBackUrl'],
  status: '4',
  statusDesc: 'Completed',
  systemTraceAuditNumber: asked['systemTraceAuditNumber'],
  conversationID: 'AG_20230720_0123456789abcdef0123',
  responseCode: '0',
  responseDesc: 'Taken',
  resultCode: '0',
  resultDesc: 'Done',
  transactionID: 'SK71HX02QP',
  transactionCreditParty: `254700000000 - ${holder}`,
  createdDate: '2023-08-03T06:01:21.15',
});
