/** What a command works with: made when it is asked for first, and closed in the opposite order. */
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

/**
 * What was opened, and is closed in the opposite order. It is `AsyncDisposableStack` in the parts that are needed: Node.js 22 has none.
 */
export class Closing implements AsyncDisposable {
  #closers: (() => unknown)[] = [];

  /** Is closed as it says itself. Gives it back. */
  use<T extends AsyncDisposable>(resource: T): T {
    return this.adopt(resource, (open) => open[Symbol.asyncDispose]());
  }

  /** Is closed by a function. Gives the value back. */
  adopt<T>(value: T, close: (value: T) => unknown): T {
    this.#closers.push(() => close(value));
    return value;
  }

  /** Closes all of them, each once, whatever the others do. Throws the first error, which says most. */
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
