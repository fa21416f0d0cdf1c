/**
 * What the headings of amounts say. On a payroll several of them stand side by side, and only one is what is paid: gross pay, or a
 * rate, would pay the wrong sum. Whole headings are compared, never a word inside one. What is not listed (`Basic Pay`, `Gross Pay`,
 * `Total Deductions`, `Loan Balance`, `YTD`, `Days`, `Rate`) is no amount, and is no reason to ask either.
 */
export const amountHeadings = {
  /** What is left to be paid: one of them decides, whatever stands beside it. */
  net: [
    'Net Pay',
    'Nett Pay',
    'Net Salary',
    'Net Wage',
    'Net Wages',
    'Net Earnings',
    'Net to Pay',
    'Net Payable',
    'Net Payment',
    'Net Amount Payable',
    'Take Home',
    'Take Home Pay',
    'Salaire net',
    'Net à payer',
    'Mshahara halisi',
  ],
  /** May be paid beside a net one too, and then it has to be asked. */
  payable: ['Amount Payable'],
  /** Simply the amount: a balance beside it is what is left on an account. */
  plain: ['Amount', 'Montant', 'Kiasi'],
  /** The amount where it stands alone; among several of these it has to be asked. */
  open: [
    'Net',
    'Net Amount',
    'Net Amount (VAT)',
    'Salary',
    'Pay',
    'Payable',
    'Payment Amount',
    'Total Payable',
    'Total Pay',
    'Montant net',
    'Mshahara',
    'Malipo',
  ],
  /** Never the amount alone. Beside another one they are a reason to ask. */
  total: ['Total'],
  balance: ['Balance'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type AmountHeading = keyof typeof amountHeadings;

/** Headings that are the amount where they stand alone. */
export const amountAliases: readonly string[] = (['net', 'payable', 'plain', 'open'] as const).flatMap(
  (say) => amountHeadings[say],
);
