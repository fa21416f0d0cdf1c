/** How the simulated service reads and writes: bodies as the specification has them, made by hand. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** What the service means by it: the judge's own knowledge, which does not travel. */
  readonly means?: 'accepted' | 'refused' | 'repeated' | 'unknown' | 'found' | 'contradiction';
}

export interface WireLine {
  readonly recipient: Record<string, unknown>;
  readonly transaction: { readonly amount: number; readonly systemTraceAuditNumber: string };
}

export interface WireOrder {
  readonly originatorConversationId: string;
  readonly paymentOrderLines: readonly WireLine[];
}

interface WireAirtime {
  readonly originatorConversationId: string;
  readonly recipients: readonly { readonly phoneNumber: string; readonly amount: number }[];
}

/** Stands for the trace number of an order that has none on the wire. */
export const traceOfAirtime = (order: string): string => `airtime ${order}`;

/** Reads the body of a submission. An airtime purchase becomes an order of one line. */
export function wireOrderOf(body: string): WireOrder {
  const order = JSON.parse(body) as WireOrder | WireAirtime; // the network delivers whole bodies only
  if ('paymentOrderLines' in order) return order;
  const { originatorConversationId, recipients } = order;
  const paymentOrderLines = recipients.map(({ phoneNumber, amount }) => ({
    recipient: { primaryAccountNumber: `+${phoneNumber}` },
    transaction: { amount, systemTraceAuditNumber: traceOfAirtime(originatorConversationId) },
  }));
  return { originatorConversationId, paymentOrderLines };
}

/** Charged for each line that is paid. */
export const FEE = 13;

const statusTexts: Readonly<Record<number, string>> = { 0: 'Pending', 4: 'Completed', 7: 'Rejected', 8: 'Timed Out' };

/** The outcome of a line in a status record. */
export const outcome = (status: number, resultCode: string | null, paid: number) => ({
  paymentAmount: paid,
  feeAmount: paid > 0 ? FEE : 0,
  transactionStatus: status,
  transactionStatusDescription: statusTexts[status] ?? 'Processing',
  resultCode,
  resultCodeDescription: resultCode === null ? null : `Result ${resultCode}`,
  thirdPartyPayload: { thirdPartyReceiptNumber: paid > 0 ? 'SJ12ABC' : null },
});

export type WireOutcome = ReturnType<typeof outcome>;

/** How a repeated id is refused: never the way in which anything else is. */
export const repeatRefusals: readonly Answer[] = [
  { status: 400, body: '{"status":400,"errors":[{"field":"originatorConversationId","message":"must be unique"}]}' },
  { status: 400, body: '{"errors":{"SystemTraceAuditNumber":["The value is used by another transaction."]}}' },
  { status: 409, body: '{"reason":"Duplicate request"}' },
  { status: 500, body: '{"error":{"text":"duplicate key value","code":23505}}' },
];

/** How an order is refused that the service will never take. */
export const refusals: readonly Answer[] = [
  { status: 400, body: '{"status":400,"errors":[{"field":"recipient.mccmnc","message":"is not served"}]}' },
  { status: 400, body: '{"title":"One or more validation errors occurred.","errors":{"Purpose":["Is required."]}}' },
  { status: 400, body: '{"appDomainName":"LIVE","reason":"The route is closed."}' },
];

export const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) });

/** What sending costs: the same for every amount. */
export const charges = json(200, {
  name: 'Wallet',
  graduatedScaleList: [{ value: FEE, rangeLowerLimit: 0, rangeUpperLimit: 1e9 }],
});

export const balance = json(200, { status: '00', balance: 1e9 });

/** How a service says that it does not know an id; `none`: in no way that can be told from a failure. */
export const unknownAnswers = {
  'not-found': (id: string) =>
    json(404, { id, idType: 'OriginatorConversationId', message: `No order ${id} was found` }),
  list: () => json(400, { status: 400, errors: [{ field: 'Id', message: 'Order does not exist' }] }),
  map: (id: string, trace: number) =>
    json(400, { errors: { Id: [`Payment order ${id} not found`] }, traceId: `00-${trace}` }),
  none: () => ({ status: 500, body: '{"text":"Object reference not set to an instance of an object"}' }),
} as const;
