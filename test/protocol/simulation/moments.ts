/** Moments of a simulation that are counted in submissions: what has to meet the sending of a batch is aimed at one. */
export class Moments {
  readonly #due = new Map<number, (() => void)[]>();
  #submissions = 0;

  /** Lets something happen when the n-th submission of all leaves, if there are so many; counted from 1. */
  at(submission: number, run: () => void): void {
    const due = this.#due.get(submission);
    if (due) due.push(run);
    else this.#due.set(submission, [run]);
  }

  /** One more submission leaves. */
  next(): void {
    this.#submissions += 1;
    for (const run of this.#due.get(this.#submissions) ?? []) run();
  }
}
