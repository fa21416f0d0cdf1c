/**
 * The last check of a body that shares its method and path with other operations: one number in it decides whether money
 * moves. It reads the very text that leaves, as the service may read it: names in any case, and none of them twice.
 */
import { InputFault } from '../contract/input.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { answerJson } from './answer-json.ts';

/** Throws an InputFault, before anything leaves, unless the text can only be a body of this operation. */
export function requireApart(operation: AnyOperation, text: string | undefined): void {
  if (!operation.apart) return;
  const { field, value } = operation.apart;
  const body = answerJson(text ?? '');
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const named = Object.entries(isObject ? body : {}).filter(([name]) => name.toLowerCase() === field.toLowerCase());
  if (named.length === 1 && named[0]?.[1] === value) return;
  throw new InputFault(operation, [{ field: `body.${field}`, message: `must be ${value}, once` }]);
}
