import { counted } from '../domain/counted.ts';
import { Fault } from '../domain/fault.ts';
import { leftOutText } from '../domain/left-out.ts';
import type { CheckedSheet } from './check-rows.ts';

/**
 * Returns why a checked sheet is refused; `undefined` if it is not. Any error refuses it, unless exactly as many rows are to
 * be set aside as have errors; an error of the sheet itself always does. Setting aside more rows than have errors refuses it
 * too: it is then not the sheet that the operator had in mind.
 */
export function refusalOf(checked: CheckedSheet, skipInvalid: number | undefined): Fault | undefined {
  const { errors, sheetErrors, payable, invalid, leftOut } = checked;
  if (sheetErrors > 0 || (errors > 0 && payable === 0)) {
    const why = skipInvalid === undefined ? '' : ` ${whySkippingFails(checked)}`;
    return new Fault(
      'sheet-refused',
      `The sheet has errors.${why}`,
      'Correct the sheet and run it again. Nothing was sent.',
    );
  }
  if (payable === 0 && leftOut) {
    return new Fault(
      'sheet-refused',
      `There is nothing to pay: the sheet leaves out ${leftOutText(leftOut)}.`,
      'Remove the hold (or "cash") from the rows that are to be paid, and run the sheet again. Nothing was sent.',
    );
  }
  if ((skipInvalid ?? 0) === invalid) return undefined;
  if (invalid === 0) {
    return new Fault(
      'sheet-refused',
      `No row has errors, but --skip-invalid says ${skipInvalid}.`,
      'Check that this is the sheet you meant, and run it without --skip-invalid. Nothing was sent.',
    );
  }
  const rows = counted(invalid, 'row has errors', 'rows have errors');
  return new Fault(
    'sheet-refused',
    skipInvalid === undefined ? `${rows}.` : `${rows}, but --skip-invalid says ${skipInvalid}.`,
    `Correct the sheet and run it again, or skip exactly these rows with --skip-invalid ${invalid}. Nothing was sent.`,
  );
}

const whySkippingFails = ({ sheetErrors }: CheckedSheet): string =>
  sheetErrors > 0
    ? `--skip-invalid sets aside rows with errors of their own, and ${counted(sheetErrors, 'error here is', 'errors here are')} of another kind, such as a repeated payment or a wrong total.`
    : '--skip-invalid would leave nothing to pay.';
