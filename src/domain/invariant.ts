/** A bug in paybatch, never a fault of the sheet, the service or the machine. It ends the process (exit 1). */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Ends the process if something that this code itself guarantees does not hold. */
export function invariant(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new InvariantError(`This must hold and does not: ${claim}`);
}

/** The `default` of a switch over a closed union. The compiler proves that it is never reached. */
export function unreachable(value: never): never {
  throw new InvariantError(`Unexpected value: ${JSON.stringify(value)}`);
}
