/** A service of a few lines that validates accounts, and that a test can make lie, stall or lose its answers. */
import type { ServerResponse } from 'node:http';
import type { AccountValidation } from '../../../src/service/contract/account-validation.ts';
import { type Arrived, sendJson, serve } from '../../support/loopback.ts';

type Json = Record<string, unknown>;

/** Given by a habit that has answered by itself. */
export const answered = Symbol('answered');

export interface Habits {
  /** Before a request is taken. What it gives, if anything, is the answer, and the request is not taken. */
  readonly onAsk?: (asked: AccountValidation, response: ServerResponse, times: number) => unknown;
  /** Taken, and answered with this instead of an acceptance. */
  readonly acceptance?: (asked: AccountValidation, response: ServerResponse) => unknown;
  /** Before a look-up is answered; `times` counts those of this request from 1. */
  readonly onFind?: (asked: AccountValidation | undefined, response: ServerResponse, times: number) => unknown;
  /** Changes the record that a look-up gives. */
  readonly record?: (record: Json, asked: AccountValidation, times: number) => Json;
  /** Address of another service that answers everything but what is about accounts. */
  readonly behind?: string;
}

export interface ValidationService {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  /** Requests that arrived, in order. */
  asked(): readonly AccountValidation[];
  /** Trace numbers of the look-ups that arrived, in order. */
  finds(): readonly string[];
  /** Most validations that were asked for and had no final word yet, at any time. */
  readonly mostOpen: () => number;
}

/** Knows the holders by account number; an account that nobody holds is refused in its record. */
export async function validationService(
  holders: Readonly<Record<string, string>>,
  habits: Habits = {},
): Promise<ValidationService> {
  const taken = new Map<string, AccountValidation>();
  const times = new Map<string, number>();
  const open = new Set<string>();
  let mostOpen = 0;
  const again = (key: string): number => {
    const count = (times.get(key) ?? 0) + 1;
    times.set(key, count);
    return count;
  };
  const send = (response: ServerResponse, answer: unknown): void => {
    if (answer !== answered) sendJson(response, 200, answer);
  };
  const { url, arrived } = await serve(async (request, response) => {
    if (habits.behind !== undefined && !request.path.startsWith('/v1/account/')) {
      return relay(habits.behind, request, response);
    }
    if (request.path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
    if (request.path === '/v1/account/validate') {
      const asked: AccountValidation = JSON.parse(request.body);
      const { systemTraceAuditNumber: trace } = asked;
      const refusal = await habits.onAsk?.(asked, response, again(asked.primaryAccountNumber));
      if (refusal !== undefined) return send(response, refusal);
      taken.set(trace, asked);
      open.add(trace);
      mostOpen = Math.max(mostOpen, open.size);
      const own = await habits.acceptance?.(asked, response);
      return send(response, own ?? { systemTraceAuditNumber: trace, message: 'Accepted' });
    }
    const trace = request.query.get('stan') ?? '';
    const asked = taken.get(trace);
    const count = again(trace);
    const own = await habits.onFind?.(asked, response, count);
    if (own !== undefined) return send(response, own);
    if (!asked) return sendJson(response, 404, { id: trace, idType: 'stan', message: `${trace} not found` });
    open.delete(trace);
    const record = recordOf(asked, holders[asked.primaryAccountNumber]);
    return send(response, habits.record?.(record, asked, count) ?? record);
  });
  const bodies = () => arrived.filter(({ path }) => path === '/v1/account/validate');
  return {
    url,
    arrived,
    asked: () => bodies().map(({ body }) => JSON.parse(body)),
    finds: () => arrived.filter(({ method }) => method === 'GET').map(({ query }) => query.get('stan') ?? ''),
    mostOpen: () => mostOpen,
  };
}

async function relay(
  behind: string,
  { method, path, query, authorization, body }: Arrived,
  response: ServerResponse,
): Promise<void> {
  const answer = await fetch(`${behind}${path}?${query}`, {
    method,
    headers: {
      'content-type': body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(authorization !== undefined && { authorization }),
    },
    ...(body !== '' && { body }),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
  response.end(await answer.text());
}

const recordOf = (asked: AccountValidation, holder: string | undefined): Json => ({
  validationType: asked.type,
  accountNumber: asked.primaryAccountNumber,
  institutionCode: asked.institutionCode,
  status: 4,
  statusDesc: 'Completed',
  systemTraceAuditNumber: asked.systemTraceAuditNumber,
  responseCode: holder === undefined ? '6' : '0',
  responseDesc: holder === undefined ? 'Invalid credit account' : 'Success',
  resultCode: null,
  resultDesc: null,
  transactionCreditParty: holder === undefined ? null : `${asked.primaryAccountNumber.replace('+', '')} - ${holder}`,
});

export const pending = (record: Json): Json => ({
  ...record,
  status: 0,
  statusDesc: 'Pending',
  responseCode: null,
  transactionCreditParty: null,
});
