import type { Kind } from '../../src/kinds/kind.ts';

/** By column: a cell, and another one that says something else. A new column is written down here as well. */
export const cellsOfColumns: Readonly<Record<string, readonly [one: string, other: string]>> = {
  reference: ['R-1', 'R-2'],
  name: ['Jane Wanjiku', 'Ali Hassan'],
  amount: ['1500', '1600'],
  currency: ['KES', 'UGX'],
  purpose: ['Rent', 'Fuel'],
  note: ['for May', 'for June'],
  phone: ['0712345678', '0722000111'],
  network: ['Safaricom', 'Airtel'],
  till_number: ['512345', '512346'],
  paybill_number: ['400200', '400201'],
  account_number: ['00a23-4', '00123-5'],
  bank_code: ['68', '01'],
  bank_name: ['Practice Bank', 'Other Bank'],
  recipient_address: ['Nairobi', 'Kisumu'],
  recipient_email: ['jane@example.com', 'ali@example.com'],
  recipient_id_type: ['National ID', 'Passport'],
  recipient_id_number: ['12345678', 'AK0123456'],
  bill_service: ['City Water', 'City Power'],
};

/** A row of a kind with every column filled in. */
export const fullRowOf = (kind: Kind): Readonly<Record<string, string>> =>
  Object.fromEntries(kind.columns.map(({ id }) => [id, cellsOfColumns[id]?.[0] ?? '']));
