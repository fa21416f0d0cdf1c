/**
 * Which operation a request is about. Three share a path and are told apart by their bodies; one has no path that anybody knows,
 * and is answered at a place that no real service has.
 */
import { type OperationKey, operations } from '../contract/index.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { bound, isFields, namesOf, required } from './fields.ts';

export const practicePathOf = (name: string): string => `/practice/${name}`;

/** Paths by operation name, for the profile of a client that practises. */
export const practicePaths: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values<AnyOperation>(operations).flatMap(({ name, path }) => (path ? [] : [[name, practicePathOf(name)]])),
);

const keys = Object.keys(operations) as readonly OperationKey[]; // the table's own keys
const pathOf = (key: OperationKey): string => {
  const { name, path }: AnyOperation = operations[key];
  return path ?? practicePathOf(name);
};
const paths: ReadonlySet<string> = new Set(keys.map(pathOf));
const byPlace = Map.groupBy(keys, (key) => `${operations[key].method} ${pathOf(key)}`);

/** Whether anything is answered at a path, by whatever method. */
export const isPath = (path: string): boolean => paths.has(path);

/** The operation of a request; undefined when nothing is answered there. */
export function operationAt(method: string, path: string, body: string): OperationKey | undefined {
  const [key, ...others] = byPlace.get(`${method} ${path}`) ?? [];
  return others.length === 0 ? key : billOperationOf(body);
}

/** Spec: "Bill payment": 1 = Query Bill, 2 = Post Payment, 3 = Validate Account. What is none of them, the payment refuses. */
function billOperationOf(body: string): OperationKey {
  const type = transactionTypeOf(body);
  if (type === 1) return 'queryBill';
  return type === 3 ? 'validateBill' : 'payBill';
}

/** Its name may be in any case, like every other. */
const typeNames = namesOf(required('integer', 'transactionType'));

function transactionTypeOf(body: string): unknown {
  try {
    const fields = bound(JSON.parse(body), typeNames);
    return isFields(fields) ? fields['transactionType'] : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
