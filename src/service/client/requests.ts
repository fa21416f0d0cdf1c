/**
 * Requests as they leave, except for the token: where each operation goes and what its input says. The place of each
 * operation is worked out once, because the settings of a client never change.
 */

import { Fault } from '../../domain/fault.ts';
import { checkInput, InputFault, type OperationInput } from '../contract/input.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { answerJson } from './answer-json.ts';

/** The settings of a client that decide where requests go. */
export interface Addresses {
  readonly baseUrl: string;
  readonly tokenUrl: string;
  /** Origins (scheme, host, port) that requests may go to. */
  readonly secretOrigins: readonly string[];
  /** Paths by operation name, which replace those of the contract. */
  readonly paths?: Readonly<Record<string, string | undefined>>;
}

export interface Prepared {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly body?: string;
}

type Headers = Readonly<Record<string, string>>;

/** Where an operation goes. */
type Place = Pick<URL, 'origin' | 'pathname' | 'search'>;

export class Requests {
  readonly #addresses: Addresses;
  readonly #places = new Map<AnyOperation, Place>();

  constructor(addresses: Addresses) {
    this.#addresses = addresses;
  }

  /** Reports whether there is a path for an operation. */
  knows(operation: AnyOperation): boolean {
    return knownPath(this.#addresses, operation) !== undefined;
  }

  /**
   * Checks the input and writes the request. Throws, before anything has left, an InputFault if the input does not fit, and a
   * Fault `configuration` if the path is not known or the request must not go to its address.
   */
  prepare(operation: AnyOperation, input: OperationInput): Prepared {
    const { query, body } = checkInput(operation, input);
    const { origin, ...place } = this.#placeOf(operation);
    const text = input.rendered ?? (body === undefined ? undefined : bodyText(operation, body));
    requireApart(operation, text);
    return { origin, path: pathWith(place, query ?? {}), ...(text !== undefined && { body: text }) };
  }

  #placeOf(operation: AnyOperation): Place {
    const known = this.#places.get(operation);
    if (known) return known;
    const { tokenUrl, baseUrl } = this.#addresses;
    const { origin, pathname, search } = new URL(
      operation.host === 'token' ? tokenUrl : baseUrl + pathOf(this.#addresses, operation),
    );
    requireOrigin(this.#addresses, origin);
    const place = { origin, pathname, search };
    this.#places.set(operation, place);
    return place;
  }
}

/** Returns the headers of a request. */
export const headersOf = (operation: AnyOperation, hasBody: boolean, token: string | undefined): Headers => ({
  accept: operation.answers === 'text' ? 'text/plain' : 'application/json',
  ...(hasBody && { 'content-type': contentType(operation) }),
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
});

/** Names and values that are written into a query as they are. */
const PLAIN = /^[\w.*-]*$/;

function pathWith({ pathname, search }: Omit<Place, 'origin'>, query: object): string {
  const said = Object.entries(query).filter(([, value]) => value !== undefined);
  if (said.length === 0) return pathname + search;
  if (search === '' && said.every((part) => part.every((text) => PLAIN.test(text)))) {
    return `${pathname}?${said.map(([name, value]) => `${name}=${value}`).join('&')}`;
  }
  const params = new URLSearchParams(search);
  for (const [name, value] of said) params.set(name, String(value));
  return `${pathname}?${params}`;
}

/**
 * Throws an InputFault, before anything leaves, unless a text can only be a body of this operation. Some operations share method
 * and path, and one number in the body decides whether money moves. The text is read as the service may read it: names in any
 * case, and none of them twice.
 */
function requireApart(operation: AnyOperation, text: string | undefined): void {
  if (!operation.apart) return;
  const { field, value } = operation.apart;
  const body = answerJson(text ?? '');
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const named = Object.entries(isObject ? body : {}).filter(([name]) => name.toLowerCase() === field.toLowerCase());
  if (named.length === 1 && named[0]?.[1] === value) return;
  throw new InputFault(operation, [{ field: `body.${field}`, message: `must be ${value}, once` }]);
}

/** Throws a Fault `configuration` if the secret or token would go to an origin that is not allowed, no matter what made the address. */
function requireOrigin({ secretOrigins }: Addresses, origin: string): void {
  if (secretOrigins.includes(origin)) return;
  throw new Fault(
    'configuration',
    `The client secret of this account may not go to ${origin}. Nothing was sent.`,
    `If it may, add ${JSON.stringify(origin)} to "secretOrigins" of the profile.`,
  );
}

/** Returns the path of an operation. Throws a Fault `configuration` if neither the contract nor the profile knows one. */
function pathOf(addresses: Addresses, operation: AnyOperation): string {
  const known = knownPath(addresses, operation);
  if (known !== undefined) return known;
  const { name } = operation;
  throw new Fault(
    'configuration',
    `The path of the operation ${name} is not known.`,
    `Ask the provider for it and set paths.${name} in the profile. Nothing was sent.`,
  );
}

const knownPath = ({ paths }: Addresses, { name, path }: AnyOperation): string | undefined => paths?.[name] ?? path;

const bodyText = ({ encoding }: AnyOperation, body: unknown): string =>
  encoding === 'form' ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body);

const contentType = (operation: AnyOperation): string =>
  operation.encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
