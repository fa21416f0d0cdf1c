/** A fact about an order as evidence shows it: what happened, in words, and what is known about one payment. */
import type { Fact, LineReport, Said } from '../../domain/fact.ts';
import type { TraceNumber } from '../../domain/ids.ts';
import { unreachable } from '../../domain/invariant.ts';
import { decimalOf } from '../../domain/money.ts';
import { isOwnAlarm, ownReports } from './own-part.ts';

/** Texts by name; unknown details are absent. */
export type Details = Readonly<Record<string, string>>;

export interface DescribedFact {
  /** Type of the fact in the ledger. */
  readonly type: Fact['type'];
  readonly says: string;
  readonly details: Details;
}

/** The payment whose part of an order is shown. */
export interface Whose {
  readonly row: number;
  readonly trace: TraceNumber;
  /** Number of payments in the order. */
  readonly lines: number;
}

/** Replaces words about a whole order, which may name other people whom it pays. */
const LEFT_OUT = 'left out: the words are about an order that pays others as well';

/** Returns a fact as evidence shows it; `undefined` for a fact about another payment of the same order. */
export function describedFact(fact: Fact, { row, trace, lines }: Whose): DescribedFact | undefined {
  const described = (says: string, details: Readonly<Record<string, string | undefined>> = {}): DescribedFact => ({
    type: fact.type,
    says,
    details: Object.fromEntries(
      Object.entries(details).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
    ),
  });
  const words = (text: string | undefined): string | undefined => (lines === 1 || !text ? text : LEFT_OUT);
  const said = ({ by, note }: Said) => ({ By: by, Note: words(note) });
  switch (fact.type) {
    case 'order-planned': {
      const line = fact.lines.find((one) => one.trace === trace);
      const amount = line && `${line.amount.currency} ${decimalOf(line.amount)}`;
      return described('The order was planned, with the exact bytes to send.', {
        Attempt: `${fact.attempt}`,
        Amount: amount,
        'After the failed order': line?.replaces,
      });
    }
    case 'order-claimed':
      return described('Sending began: from this point on, the order may have reached the service.');
    case 'order-answered':
      return described(`The service answered, which means: ${answers[fact.tag]}.`, {
        Answer: words(fact.reason),
        'Service id': fact.serviceId,
      });
    case 'order-unknown':
      return described('A look-up was answered: the service does not know the order.');
    case 'order-observed':
      return described(...observedText(fact, trace));
    case 'order-refused':
      return described('It was proven that the service did not take the order.');
    case 'order-overdue':
      return described('The deadline passed without a final outcome.');
    case 'order-alarmed':
      return described('The service contradicted what was planned.', {
        Alarm: isOwnAlarm(fact.reason, row, lines) ? fact.reason : LEFT_OUT,
      });
    case 'order-resolved':
      if (fact.trace !== trace) return undefined;
      return described(`A person recorded that it was ${fact.paid ? 'paid' : 'not paid'}.`, {
        By: fact.by,
        Receipt: fact.receipt,
        Note: fact.note,
      });
    case 'order-reject-requested':
      return described('A person asked to stop the order.', said(fact));
    case 'order-said-absent':
      return described('A person said that nothing of the order had arrived.', said(fact));
    case 'order-retried':
      return fact.trace === trace
        ? described('Another order pays the row now.', { Order: fact.replacedBy })
        : undefined;
    case 'order-superseded':
      return fact.traces.includes(trace)
        ? described('A later batch holds the payment.', { Batch: fact.by })
        : undefined;
    default:
      return unreachable(fact);
  }
}

/** Returns what the service reported about the payment, unchanged. */
function observedText(
  { lines, repeats = [], lacking = [], source, processed, serviceId }: Extract<Fact, { type: 'order-observed' }>,
  trace: TraceNumber,
): [says: string, details: Readonly<Record<string, string | undefined>>] {
  const [report, ...more] = [...ownReports(lines, trace), ...ownReports(repeats, trace)];
  const how = source === 'callback' ? 'The service called back' : 'A look-up was answered';
  const again = more.map(({ statusText, status }) => statusText || `${status}`).join(', ');
  const nothing = lacking.includes(trace) ? 'the order, processed and without this payment' : 'nothing of this payment';
  return [
    `${how}: ${report ? report.statusText || `status ${report.status}` : nothing}.`,
    {
      Processed: processed ? 'yes' : 'no',
      'Service id': serviceId,
      ...reportDetails(report),
      'Carried out again': again,
    },
  ];
}

const answers: Readonly<Record<Extract<Fact, { type: 'order-answered' }>['tag'], string>> = {
  accepted: 'it accepted the order; that alone moves no money',
  exists: 'it holds an order of this id',
  refused: 'it did not take the order',
  unauthorised: 'it did not let the account in',
  throttled: 'it was asked too often',
  'not-sent': 'nothing had left this computer',
  ambiguous: 'nobody can tell whether it took the order',
};

/** Returns the words and figures of a report, unchanged. */
const reportDetails = (report: LineReport | undefined): Readonly<Record<string, string | undefined>> =>
  report
    ? {
        Status: `${report.status} ${report.statusText}`.trim(),
        'Amount paid': report.paidAmount,
        Fee: report.feeAmount,
        'Result code': report.resultCode,
        'Result in words': report.resultText,
        Receipt: report.receipt,
        Tracking: report.tracking,
        Date: report.date,
        'Paid to': report.creditParty,
        'Name held by the service': report.heldName,
      }
    : {};
