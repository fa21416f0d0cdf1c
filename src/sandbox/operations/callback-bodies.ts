/** What each callback says, in the order in which it is sent. Spec: "Events"; bodies that it does not show are our records. */
import type { Bookkeeper } from '../books/bookkeeper.ts';
import type { CallbackDue } from '../books/callback-book.ts';
import type { BookedOrder } from '../books/orders.ts';
import type { BookedRequest } from '../books/register.ts';
import type { Subject } from '../books/settling.ts';
import type { RequestKind } from '../requests/checked-request.ts';
import { airtimeRecordOf } from './airtime.ts';
import { billCallbackOf } from './bill-payments.ts';
import { checkoutRecordOf } from './checkouts.ts';
import { depositCallbacksOf } from './deposits.ts';
import { statusRecordOf } from './status-record.ts';
import { accountRecordOf, personCallbackOf } from './validations.ts';

type Bodies = (request: BookedRequest, at: number) => readonly object[];

const bodies: Readonly<Partial<Record<RequestKind, Bodies>>> = {
  'create-checkout': (request, at) => [checkoutRecordOf(request, at)],
  'buy-airtime': (request, at) => [airtimeRecordOf(request, at)],
  'pay-bill': (request, at) => [billCallbackOf(request, at)],
  'validate-kyc': (request, at) => [personCallbackOf(request, at)],
  'validate-account': (request, at) => [accountRecordOf(request, at)],
  'request-deposit': depositCallbacksOf,
};

const isRequest = (subject: Subject): subject is BookedRequest => 'kind' in subject;
const isOrder = (subject: Subject): subject is BookedOrder => 'lines' in subject;

/** The bodies of a callback as things stand at `at`. A payment order is told as its status record (observed). */
export function callbackBodiesOf({ subject, tells }: CallbackDue, books: Bookkeeper, at: number): readonly object[] {
  const shownAsDuplicateUntil = tells === 'duplicate' ? Number.POSITIVE_INFINITY : 0;
  if (isRequest(subject)) return bodies[subject.kind]?.({ ...subject, shownAsDuplicateUntil }, at) ?? [];
  return isOrder(subject) ? [statusRecordOf({ ...subject, shownAsDuplicateUntil }, books, at)] : [];
}
