/** What an operation has for the books that keep its requests. */
import type { BookedRequest } from '../books/register.ts';
import type { RequestCheck } from '../checked-request.ts';

export interface KeptRequest {
  /** Reads the body of a request, or says what is wrong with each field. The journal keeps bodies as they came. */
  readonly read: (body: unknown) => RequestCheck;
  /** What its callback says, in the order in which it is sent; missing: it has none. */
  readonly tells?: (request: BookedRequest, at: number) => readonly object[];
}
