import type { BookedOrder } from '../books/orders.ts';
import { type CheckedOrder, checkOrder } from '../check-order.ts';
import type { Call, Desk } from '../desk.ts';
import { type FieldErrors, hasErrors } from '../fields.ts';
import { magicOf } from '../magic.ts';
import {
  APP_DOMAIN_NAME,
  droppedReply,
  json,
  orderRefusedReply,
  type Reply,
  serviceTime,
  validationReply,
} from '../reply.ts';
import { planLine, repetitionId } from '../settle.ts';

/** Spec: "Payment order submission". Taking an order moves no money. */
export function submitOrder(call: Call, desk: Desk): Reply {
  const { id, order, mistyped, errors } = checkOrder(call.body);
  if (hasErrors(mistyped)) return validationReply(mistyped, desk.random);
  const refused = (complaints: FieldErrors): Reply => orderRefusedReply(id, complaints, call.at, desk.random);
  if (!order || hasErrors(errors)) return refused(errors);
  const struck = new Set(order.lines.map((line) => magicOf(line.payee)?.submission));
  if (struck.has('refused')) {
    return refused({ PhoneNumber: ['The PhoneNumber field is not a valid phone number.'] });
  }
  const booked = desk.books.order(order.id);
  if (booked) return repeated(order, booked, call, desk);
  if (struck.has('dropped-before') && desk.books.posts(order.id) === 0) {
    desk.books.lose(order.id);
    return droppedReply;
  }
  const unfit = unfitErrors(order, desk);
  if (unfit) return refused(unfit);
  const taken = acceptance(take(order, call, desk), desk);
  return struck.has('dropped-after') ? droppedReply : taken;
}

/**
 * An order id that the books hold already. Spec: "Limits" says only that it must be unique; published is that it is accepted, and
 * that a duplicate outcome is told instead of acting on it.
 */
function repeated(order: CheckedOrder, booked: BookedOrder, call: Call, desk: Desk): Reply {
  switch (desk.scenario().duplicates ?? 'accept-then-9') {
    case 'execute':
    case 'hide': {
      // Each that is taken has an id of its own, as a refused repetition is published to have: the record names that of the first.
      const again = take(order, call, desk);
      return acceptance({ ...again, serviceId: repetitionId(again.key, desk.books.posts(order.id)) }, desk);
    }
    case 'replay':
      desk.books.repeat(order.id, 'replayed');
      return acceptance(booked, desk);
    case 'accept-then-9':
      desk.books.repeat(order.id, 'accepted-as-9');
      return acceptance({ ...booked, serviceId: repetitionId(booked.key, desk.books.posts(order.id)) }, desk);
    default:
      desk.books.repeat(order.id, 'refused');
      return orderRefusedReply(
        order.id,
        { OriginatorConversationId: [`duplicate originator conversation id '${order.id}'`] },
        call.at,
        desk.random,
      );
  }
}

/** What speaks against a well-formed order: a trace number that is not unique, or a currency without wallet. */
function unfitErrors(order: CheckedOrder, desk: Desk): FieldErrors | undefined {
  const seen = new Set<string>();
  for (const [index, { trace, amount }] of order.lines.entries()) {
    if (!desk.books.wallet(amount.currency)) {
      return { [`paymentOrderLines[${index}].recipient.ccy`]: [`There is no wallet in ${amount.currency}.`] };
    }
    if (seen.has(trace) || desk.books.hasTrace(trace)) {
      desk.books.repeat(order.id, 'refused');
      return { systemTraceAuditNumber: [`The systemTraceAuditNumber of line ${index + 1} must be unique.`] };
    }
    seen.add(trace);
  }
  return undefined;
}

function take(order: CheckedOrder, call: Call, desk: Desk): BookedOrder {
  const scenario = desk.scenario();
  const plans = order.lines.map((line, index) => planLine(order.id, index, line.payee, scenario));
  return desk.books.take(order, plans, call.received, desk.orderCallbackUrl);
}

/** Spec: "Payment order acceptance response". */
const acceptance = (order: BookedOrder, desk: Desk): Reply =>
  json(desk.scenario().knobs['accept-status'], {
    message: {
      appDomainName: APP_DOMAIN_NAME,
      systemConversationId: order.serviceId,
      originatorConversationId: order.id,
      remarks: 'order submission accepted',
      timestamp: serviceTime(order.takenAt),
    },
  });
