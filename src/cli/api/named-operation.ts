/** Operations by the names that people type, and what a wrong one may have meant. */
import { editsBetween } from '../../batch/suggest-headings.ts';
import { operations } from '../../contract/index.ts';
import type { AnyOperation } from '../../contract/operation.ts';
import { Fault } from '../../domain/fault.ts';

export const allOperations: readonly AnyOperation[] = Object.values(operations);

/** Letters that may differ in a name that was meant to be another. */
const EDITS_MAX = 4;
/** More suggestions would be a list to search through. */
const SUGGESTIONS_MAX = 3;

/** The operation of a name. A Fault with the names that are near it when there is none. */
export function operationNamed(name: string): AnyOperation {
  const found = allOperations.find((operation) => operation.name === name);
  if (found) return found;
  const near = similar(name);
  throw new Fault(
    'usage',
    `There is no operation "${name.slice(0, 40)}"${near.length > 0 ? ` (did you mean ${near.join(' or ')}?)` : ''}.`,
    'paybatch api --list shows all of them.',
  );
}

/** Names that are nearly the text, the nearest first; the library's spelling (`submitOrder`) is nearest to its own. */
function similar(text: string): readonly string[] {
  const typed = text.replaceAll(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  return allOperations
    .map(({ name }) => ({ name, edits: editsBetween(typed, name, EDITS_MAX) }))
    .filter(({ name, edits }) => edits <= Math.min(EDITS_MAX, name.length / 3))
    .toSorted((one, other) => one.edits - other.edits)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ name }) => name);
}
