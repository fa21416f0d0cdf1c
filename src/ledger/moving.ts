import type { Proof } from './proof.ts';
import type { Writer } from './writer.ts';

/** The one way in, and what is known to be true behind it. */
export interface Moving {
  readonly writer: Writer;
  readonly proof: Proof;
}
