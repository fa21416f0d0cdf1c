/** Verified payees as a condition of a run: counted in the money statement, and refused if accounts belong to someone else. */

import type { CheckedSheet } from '../../batch/check-rows.ts';
import { counted } from '../../domain/counted.ts';
import type { MoneyStatement } from '../../domain/event.ts';
import { Fault, type FaultCode } from '../../domain/fault.ts';
import { countsOf, type PayeeCounts, payeeCountsText } from '../../domain/payee.ts';
import type { Staging } from '../../domain/staging.ts';
import { type VerifyDeps, type VerifyRequest, verifyPayees } from './verify-payees.ts';

export interface PayeeCheck extends VerifyRequest {
  /** Exact number of rows without a match that the operator still pays; absent if none. */
  readonly acceptNoMatch?: number;
}

/** Verifies the payees if `check` asks for it, and puts the counts into the statement. */
export async function withPayees<P extends { readonly statement: MoneyStatement }>(
  priced: P,
  check: PayeeCheck | undefined,
  sheet: { readonly checked: CheckedSheet; readonly staging: Staging },
  deps: VerifyDeps,
): Promise<P> {
  if (!check) return priced;
  const payees = countsOf(await verifyPayees(sheet.checked, sheet.staging, check, deps));
  return { ...priced, statement: { ...priced.statement, payees } };
}

/** Throws a Fault `preflight-refused` for payees without a match, unless exactly that many were accepted. */
export function requirePayees({ payees }: MoneyStatement, check: PayeeCheck | undefined): void {
  const refusal = payees && noMatchFault('preflight-refused', payees, check?.acceptNoMatch);
  if (refusal) throw refusal;
}

/**
 * Returns how a batch was confirmed, with what was known about its payees at the time. An auditor must be able to see what
 * was accepted.
 */
export const confirmedWith = (confirmation: string, { payees, changedPayees }: MoneyStatement): string =>
  [
    confirmation,
    ...(payees ? [`payees: ${payeeCountsText(payees)}`] : []),
    ...(changedPayees ? [`changed phones and accounts: ${changedPayees.count}`] : []),
  ].join('; ');

/** Returns why payees are refused, or `undefined`. Accepting more than there are is refused too: another sheet was looked at. */
export function noMatchFault(code: FaultCode, { noMatch }: PayeeCounts, accepted = 0): Fault | undefined {
  if (noMatch === accepted) return undefined;
  if (noMatch === 0) {
    return new Fault(
      code,
      `No row pays someone else's account, but --accept-no-match says ${accepted}.`,
      'Check that this is the sheet you meant, and leave out --accept-no-match. Nothing was sent.',
    );
  }
  const rows = counted(noMatch, 'row pays', 'rows pay');
  return new Fault(
    code,
    `${rows} someone else's account${accepted === 0 ? '' : `, but --accept-no-match says ${accepted}`}.`,
    `Find out whose they are and correct the sheet (paybatch verify-payees marks them in a copy), or accept exactly these with --accept-no-match ${noMatch}. Nothing was sent.`,
  );
}
