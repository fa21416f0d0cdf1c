/** Operations by the names that people type, and what a wrong one may have meant. */
import { operations } from '../../contract/index.ts';
import type { AnyOperation } from '../../contract/operation.ts';
import { Fault } from '../../domain/fault.ts';
import { didYouMean } from '../../domain/likeness.ts';

export const allOperations: readonly AnyOperation[] = Object.values(operations);

/** The operation of a name. A Fault with the names that are near it when there is none. */
export function operationNamed(name: string): AnyOperation {
  const found = allOperations.find((operation) => operation.name === name);
  if (found) return found;
  // The library's spelling (`submitOrder`) is nearest to its own.
  const typed = name.replaceAll(/([a-z])([A-Z])/g, '$1-$2');
  const near = didYouMean(
    typed,
    allOperations.map((operation) => operation.name),
  );
  throw new Fault(
    'usage',
    `There is no operation "${name.slice(0, 40)}".`,
    `${near === undefined ? '' : `${near} `}paybatch api --list shows all of them.`,
  );
}
