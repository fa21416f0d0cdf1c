/** One callback, as it was kept. */
export interface CallbackMessage {
  /** Place in the inbox, from 1. It only grows: a reader that has seen n asks for what is after n. */
  readonly seq: number;
  /** What it is about: a name of `callbackShapes`. */
  readonly topic: string;
  /** The originatorConversationId or trace number that the body names, in lower case. */
  readonly subject: string;
  /** Wall-clock milliseconds at which it arrived first. */
  readonly receivedAt: number;
  /** The exact text of the body. It may hold personal data. */
  readonly body: string;
}
