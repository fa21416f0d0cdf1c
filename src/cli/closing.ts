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
