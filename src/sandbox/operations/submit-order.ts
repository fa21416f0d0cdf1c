import type { BookedOrder } from '../books/orders.ts';
import { type CheckedOrder, checkOrder } from '../check-order.ts';
import { type FieldErrors, hasErrors } from '../fields.ts';
import { magicOf } from '../magic-endings.ts';
import {
  APP_DOMAIN_NAME,
  droppedReply,
  json,
  orderRefusedReply,
  type Reply,
  serviceTime,
  validationReply,
} from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { planLine, repetitionId } from '../settle.ts';

/** Spec: "Payment order submission". Taking an order moves no money. */
export function submitOrder(call: Call, context: ServiceContext): Reply {
  const { id, order, mistyped, errors } = checkOrder(call.body);
  if (hasErrors(mistyped)) return validationReply(mistyped, context.random);
  const refused = (complaints: FieldErrors): Reply => orderRefusedReply(id, complaints, call.at, context.random);
  if (!order || hasErrors(errors)) return refused(errors);
  const struck = new Set(order.lines.map((line) => magicOf(line.payee)?.submission));
  if (struck.has('refused')) {
    return refused({ PhoneNumber: ['The PhoneNumber field is not a valid phone number.'] });
  }
  const booked = context.books.order(order.id);
  if (booked) return repeated(order, booked, call, context);
  if (struck.has('dropped-before') && context.books.posts(order.id) === 0) {
    context.books.lose(order.id);
    return droppedReply;
  }
  const unfit = unfitErrors(order, context);
  if (unfit) return refused(unfit);
  const taken = acceptance(take(order, call, context), context);
  return struck.has('dropped-after') ? droppedReply : taken;
}

/**
 * An order id that the books hold already. Spec: "Limits" says only that it must be unique; published is that it is accepted, and
 * that a duplicate outcome is told instead of acting on it.
 */
function repeated(order: CheckedOrder, booked: BookedOrder, call: Call, context: ServiceContext): Reply {
  switch (context.scenario().duplicates ?? 'accept-then-9') {
    case 'execute':
    case 'hide': {
      // Each that is taken has an id of its own, as a refused repetition is published to have: the record names that of the first.
      const again = take(order, call, context);
      return acceptance({ ...again, serviceId: repetitionId(again.key, context.books.posts(order.id)) }, context);
    }
    case 'replay':
      context.books.repeat(order.id, 'replayed');
      return acceptance(booked, context);
    case 'accept-then-9':
      context.books.repeat(order.id, 'accepted-as-9');
      return acceptance({ ...booked, serviceId: repetitionId(booked.key, context.books.posts(order.id)) }, context);
    default:
      context.books.repeat(order.id, 'refused');
      return orderRefusedReply(
        order.id,
        { OriginatorConversationId: [`duplicate originator conversation id '${order.id}'`] },
        call.at,
        context.random,
      );
  }
}

/** What speaks against a well-formed order: a trace number that is not unique, or a currency without wallet. */
function unfitErrors(order: CheckedOrder, context: ServiceContext): FieldErrors | undefined {
  const seen = new Set<string>();
  for (const [index, { trace, amount }] of order.lines.entries()) {
    if (!context.books.wallet(amount.currency)) {
      return { [`paymentOrderLines[${index}].recipient.ccy`]: [`There is no wallet in ${amount.currency}.`] };
    }
    if (seen.has(trace) || context.books.hasTrace(trace)) {
      context.books.repeat(order.id, 'refused');
      return { systemTraceAuditNumber: [`The systemTraceAuditNumber of line ${index + 1} must be unique.`] };
    }
    seen.add(trace);
  }
  return undefined;
}

function take(order: CheckedOrder, call: Call, context: ServiceContext): BookedOrder {
  const scenario = context.scenario();
  const plans = order.lines.map((line, index) => planLine(order.id, index, line.payee, scenario));
  return context.books.take(order, plans, call.received, context.orderCallbackUrl);
}

/** Spec: "Payment order acceptance response". */
const acceptance = (order: BookedOrder, context: ServiceContext): Reply =>
  json(context.scenario().knobs['accept-status'], {
    message: {
      appDomainName: APP_DOMAIN_NAME,
      systemConversationId: order.serviceId,
      originatorConversationId: order.id,
      remarks: 'order submission accepted',
      timestamp: serviceTime(order.takenAt),
    },
  });
