import type { CallbackMessage } from '../domain/callback-message.ts';

/** What the service sent by itself, as a run reads it while somebody else keeps more. */
export interface CallbackSource {
  /** Messages after `seq`, oldest first, at most `most` of them. */
  since(seq: number, most: number): Promise<readonly CallbackMessage[]>;
}
