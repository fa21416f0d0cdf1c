/**
 * A status record as thin as one that was recorded: it had no balances, no date and no party, and null in what it could not say.
 * Everything that the specification calls a text and that no client can need is null here, in every status.
 */
import { sha256 } from '../../domain/ids.ts';
import { drawOf } from '../draw.ts';
import type { Scenario } from '../scenario.ts';
import type { StatusRecord } from './status-record.ts';

/** Whether the look-up of an order at that time gets one. */
export const isSparse = ({ seed, knobs: { sparse } }: Scenario, key: string, at: number): boolean =>
  sparse > 0 && drawOf(sha256(`${seed}|sparse|${key}|${at}`), 0) < sparse;

/** The same state of the order in fewer words. */
export const sparseRecord = ({ orderLines, ...record }: StatusRecord): object => ({
  ...record,
  remarks: null,
  orderLines: orderLines.map(({ recipient, transaction, transactionOutcome, ...line }) => {
    const { id, paymentAmount, feeAmount, transactionStatus, resultCode, thirdPartyPayload } = transactionOutcome;
    return {
      ...line,
      recipient: {
        ...recipient,
        name: null,
        phoneNumber: null,
        financialInstitution: null,
        institutionIdentifier: null,
      },
      transaction: { ...transaction, reference: null },
      transactionOutcome: {
        id,
        paymentAmount,
        feeAmount,
        trackingNumber: null,
        transactionStatus,
        transactionStatusDescription: null,
        resultCode,
        resultCodeDescription: null,
        thirdPartyPayload: {
          thirdPartyResultCode: null,
          thirdPartyResultCodeDescription: null,
          thirdPartyReceiptNumber: thirdPartyPayload.thirdPartyReceiptNumber,
        },
      },
    };
  }),
});
