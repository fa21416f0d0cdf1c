/** Work on a database that is done one after the other, in the order in which it was asked for. */
export class Turns {
  #over: Promise<void> = Promise.resolve();

  /** Resolves or rejects as the work does, which begins when its turn has come. */
  take(work: () => void | Promise<void>): Promise<void> {
    const done = this.#over.then(work);
    this.#over = done.then(nothing, nothing);
    return done;
  }

  /** Resolves when all that was asked for is done, however it ended. */
  get over(): Promise<void> {
    return this.#over;
  }
}

const nothing = (): void => undefined;
