/** The resources of a command: made when they are first asked for, and closed in the opposite order. */
import { Fault } from '../domain/fault.ts';

/**
 * Returns a function that makes the value on its first call. A Fault is kept as well, and thrown to every caller, so that one
 * cause is reported once.
 */
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

/**
 * The resources that were opened, which are closed in the opposite order. The class has the parts of `AsyncDisposableStack` that
 * are needed, because Node.js 22 does not have that class.
 */
export class Closing implements AsyncDisposable {
  #closers: (() => unknown)[] = [];

  /** Adds a resource, which is closed by its own `Symbol.asyncDispose`. Returns it. */
  use<T extends AsyncDisposable>(resource: T): T {
    return this.adopt(resource, (open) => open[Symbol.asyncDispose]());
  }

  /** Adds a value that a function closes. Returns the value. */
  adopt<T>(value: T, close: (value: T) => unknown): T {
    this.#closers.push(() => close(value));
    return value;
  }

  /** Closes everything, each once, whether or not closing the others fails. Throws the first error, which says most. */
  async disposeAsync(): Promise<void> {
    const closers = this.#closers.toReversed();
    this.#closers = [];
    const errors: unknown[] = [];
    for (const close of closers) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}
