import { Fault } from '../domain/fault.ts';

/** Makes a value when it is asked for first. A Fault is kept as well, and thrown to everybody who asks: one cause is told once. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | { readonly fault: Fault } | undefined;
  return () => {
    made ??= tried(make);
    if ('fault' in made) throw made.fault;
    return made.value;
  };
}

function tried<T>(make: () => T): { readonly value: T } | { readonly fault: Fault } {
  try {
    return { value: make() };
  } catch (fault) {
    if (fault instanceof Fault) return { fault };
    throw fault;
  }
}
