/** The field names of the service, read from the contract's own shapes. */
import { z } from 'zod';
import { callbackShapes } from '../../src/service/contract/callback-bodies.ts';
import { type OperationKey, operations } from '../../src/service/contract/index.ts';
import type { AnyOperation } from '../../src/service/contract/operation.ts';
import { remitter } from '../../src/service/contract/payment-order.ts';

/** The names of a shape and of all that is in it. */
function* fieldsOf(schema: unknown): Generator<string> {
  if (schema instanceof z.ZodObject) {
    for (const [name, field] of Object.entries(schema.shape)) {
      yield name;
      yield* fieldsOf(field);
    }
  } else if (schema instanceof z.ZodType) {
    for (const inner of Object.values(schema.def).flat()) yield* fieldsOf(inner);
  }
}

/** Words of the field that our own values, settings and records have, too. */
const ourWords: ReadonlySet<string> = new Set([
  // A configuration writes the payer as the contract does.
  ...Object.keys(remitter.shape),
  'routeId',
  'channelType',
  'transactionTypeId',
  'serviceId',
  'institutionCode',
  'currencyCode',
  'resultCode',
  'feeAmount',
  'creditParty',
]);

/** `amount` and `status` are anybody's, `systemTraceAuditNumber` is the service's: its names are those of several words. */
const isOfWire = (name: string): boolean => /[a-z][A-Z]/.test(name) && !ourWords.has(name);

/** The service's own names in the request and the answer of an operation. */
export function wireNamesOf(key: OperationKey): readonly string[] {
  const { query, body, reply }: AnyOperation = operations[key];
  return [query, body, reply].flatMap((shape) => [...fieldsOf(shape)]).filter(isOfWire);
}

/** The service's own names in all requests, answers and callbacks. */
export const wireNames: ReadonlySet<string> = new Set([
  ...(Object.keys(operations) as OperationKey[]).flatMap(wireNamesOf), // its own keys
  ...Object.values(callbackShapes).flatMap((shape) => [...fieldsOf(shape)].filter(isOfWire)),
]);
