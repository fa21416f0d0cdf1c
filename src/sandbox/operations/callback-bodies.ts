/** What each callback says. Spec: "Events"; bodies that it does not show are our records. */
import type { Bookkeeper } from '../books/bookkeeper.ts';
import type { CallbackDue } from '../books/callback-book.ts';
import type { BookedOrder } from '../books/orders.ts';
import type { BookedRequest } from '../books/register.ts';
import type { Subject } from '../books/settling.ts';
import { keptRequests } from './handlers.ts';
import { statusRecordOf } from './status-record.ts';

const isRequest = (subject: Subject): subject is BookedRequest => 'kind' in subject;
const isOrder = (subject: Subject): subject is BookedOrder => 'lines' in subject;

/** The bodies of a callback as things stand at `at`. A payment order is told as its status record (observed). */
export function callbackBodiesOf({ subject, tells }: CallbackDue, books: Bookkeeper, at: number): readonly object[] {
  const shownAsDuplicateUntil = tells === 'duplicate' ? Number.POSITIVE_INFINITY : 0;
  if (isRequest(subject)) return keptRequests[subject.kind].tells?.({ ...subject, shownAsDuplicateUntil }, at) ?? [];
  return isOrder(subject) ? [statusRecordOf({ ...subject, shownAsDuplicateUntil }, books, at)] : [];
}
