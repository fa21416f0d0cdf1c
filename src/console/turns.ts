/** What opens an account takes turns: the practice service keeps the books of one command at a time. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Does the work once all is done that came before, whatever became of that. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when nothing is under way. */
  async over(): Promise<void> {
    await this.#last;
  }
}
