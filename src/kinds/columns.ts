/** The columns that every kind has, and those that several kinds use. */
import { homeCountryWith } from '../domain/country.ts';
import { isCurrencyCalled } from '../domain/currency-names.ts';
import type { Issue } from '../domain/issue.ts';
import { longestOfRow } from '../domain/lengths.ts';
import type { Money } from '../domain/money.ts';
import { type Msisdn, type ParsedMsisdn, parseMsisdn } from '../domain/msisdn.ts';
import { type Network, networkNamed, networks } from '../domain/network.ts';
import { amountAliases, readAmount } from './amount.ts';
import {
  type CellView,
  type Column,
  damageOf,
  issueAt,
  optional,
  type ReadContext,
  type Reading,
  trimmed,
  value,
  wrong,
} from './column.ts';
import { plainDecimal } from './number-cell.ts';
import { numberShownIssue } from './shown-number.ts';
import { readFreeText, readIdentifier, visible, warnOfDamage, warnOfFormula, warnOfScripts } from './text-columns.ts';

const reference: Column<string> = {
  id: 'reference',
  heading: 'Reference',
  aliases: [
    'Staff No',
    'Staff Number',
    'Payroll No',
    'Payroll Number',
    'P/No',
    'PF No',
    'Personal No',
    'Emp No',
    'Employee ID',
    'Employee No',
    'Employee Number',
    'Employee Code',
    'Worker ID',
    'Invoice No',
    'Invoice Number',
    'Ref',
    'Ref No',
    'Our Ref',
    'Voucher No',
    'Matricule',
    'Nambari ya Mfanyakazi',
  ],
  help: 'Your own number for this payment, different in every row: staff number, invoice number.',
  example: 'EMP-001',
  format: 'text',
  width: 16,
  required: true,
  decides: 'identity',
  calculated: 'warned',
  read: (view) => readIdentifier(view, longestOfRow.reference, 'PB-TEXT-LENGTH'),
};

const name: Column<string> = {
  id: 'name',
  heading: 'Name',
  aliases: [
    'Employee Name',
    'Employee',
    'Staff Name',
    'Full Name',
    'Full Names',
    'Names',
    'Payee',
    'Payee Name',
    'Beneficiary',
    'Beneficiary Name',
    'Account Name',
    'Recipient',
    'Recipient Name',
    'Supplier',
    'Supplier Name',
    "Payee's Name",
    'Name of Payee',
    "Employee's Name",
    'Name of Employee',
    'Name of Beneficiary',
    'Member Name',
    'Worker Name',
    'Farmer Name',
    'Farmer',
    'Contractor',
    'Contractor Name',
    'Vendor',
    'Vendor Name',
    'Nom',
    'Nom complet',
    'Noms',
    'Nom et prénom',
    'Noms et prénoms',
    'Employé',
    'Bénéficiaire',
    'Fournisseur',
    'Jina',
    'Jina Kamili',
    'Majina',
    'Jina la Mfanyakazi',
    'Claimant',
    'Participant',
    'Grower',
    'Amazina',
    'Amazina yombi',
    'Izina',
  ],
  help: 'Who is paid: the person or the business.',
  example: 'Jane Wanjiku',
  format: 'text',
  width: 26,
  required: true,
  warnsOfPlaceholders: true,
  read(view) {
    const reading = readFreeText(view, longestOfRow.name, 'PB-NAME-MISSING');
    return [warnOfScripts, warnOfDamage, warnOfFormula].reduce((read, warnOf) => warnOf(view, read), reading);
  },
};

const amount: Column<Money> = {
  id: 'amount',
  heading: 'Amount',
  aliases: amountAliases.filter((alias) => alias !== 'Amount'),
  help: 'The amount to pay: more than zero, with no more decimals than the currency has.',
  example: '15000.00',
  format: 'amount',
  width: 14,
  required: true,
  decides: 'payment',
  read: readAmount,
};

const currency: Column<string> = {
  id: 'currency',
  heading: 'Currency',
  aliases: ['Ccy', 'Curr', 'Currency Code', 'Devise', 'Sarafu'],
  help: 'Three-letter code; empty means the currency of the batch. One sheet pays one currency.',
  example: 'KES',
  format: 'text',
  choices: ['KES', 'UGX', 'TZS', 'RWF', 'ETB', 'USD'],
  width: 10,
  required: true,
  read(view, context) {
    const damage = damageOf(view);
    if (damage) return { ok: false, issue: damage };
    const { code } = context.currency;
    return isCurrencyCalled(trimmed(view), code) ? value(code) : wrong(view, 'PB-CURRENCY', { currency: code });
  },
};

const purpose: Column<string> = {
  id: 'purpose',
  heading: 'Purpose',
  aliases: ['Reason', 'Payment Reason', 'Narration', 'Narrative', 'Description', 'Details', 'Remarks', 'Sababu'],
  help: 'What the payment is for; empty means the purpose of the batch.',
  example: 'Salary June',
  format: 'text',
  width: 20,
  required: true,
  read: (view) => readFreeText(view, longestOfRow.purpose),
};

/** Returns the note column of a kind. The longest note depends on what carries it. */
export const noteUpTo = (longest: number): Column<string> => ({
  id: 'note',
  heading: 'Note',
  aliases: ['Comment', 'Comments', 'Payment Notes'],
  help: 'A note to send with the payment.',
  example: '',
  format: 'text',
  width: 20,
  required: true,
  read: (view) => readFreeText(view, longest),
});

export interface Phone {
  readonly msisdn: Msisdn;
  /** National number, without country code and trunk zero. */
  readonly national: string;
}

/** Examples of national numbers, shown to people whose number is not complete. */
const phoneExamples: Readonly<Record<string, string>> = { KE: '0712 345 678', UG: '0772 123 456', TZ: '0754 123 456' };

/** Reports whether a text is two numbers, with or without a sign or a word between them. */
function isTwoNumbers(text: string, country: string): boolean {
  const isNumber = (part: string): boolean => parseMsisdn(part, country).ok;
  if (text.split(/[/,;|&\n]|\b(?:or|and|au|na|ou|et)\b/i).filter(isNumber).length > 1) return true;
  const joined = text.replace(/[ \u00a0().-]/g, '');
  const half = joined.length / 2;
  return Number.isInteger(half) && isNumber(joined.slice(0, half)) && isNumber(joined.slice(half));
}

function msisdnOf(text: string, country: string): string | undefined {
  const parsed = parseMsisdn(text, country);
  return parsed.ok ? parsed.msisdn : undefined;
}

/** Reads a number that is whole, unless it may be another person's, is shown as another one, or is too long. */
function readNumber(
  view: CellView,
  { msisdn, national, isLocal, isZeroLost }: KnownNumber,
  { country, currency: { code } }: ReadContext,
): Reading<Phone> {
  // 0772 123 456 is a person in Uganda, and another one in Kenya.
  const home = homeCountryWith(code) ?? country;
  if (isLocal && home !== country) return wrong(view, 'PB-PHONE-LOCAL', { country, home, currency: code });
  const shown = numberShownIssue(view, (seen) => msisdnOf(seen, country));
  if (shown) return { ok: false, issue: shown };
  const { length } = msisdn;
  const { phone: limit } = longestOfRow;
  if (length > limit) return wrong(view, 'PB-PHONE-LIMIT', { read: msisdn, length, limit });
  return value(
    { msisdn, national },
    isZeroLost ? issueAt(view, 'PB-PHONE-ZERO', { count: 1, read: msisdn }) : undefined,
  );
}

type KnownNumber = Extract<ParsedMsisdn, { readonly ok: true }>;

export const phone: Column<Phone> = {
  id: 'phone',
  heading: 'Phone',
  aliases: [
    'Mobile',
    'Mobile No',
    'Mobile Number',
    'Mobile Phone',
    'Mobile Phone No',
    'Mobile Phone Number',
    'Phone No',
    'Phone Number',
    'Telephone',
    'Telephone No',
    'Telephone Number',
    'Tel',
    'Tel No',
    'Tel Contact',
    'Cell',
    'Cellphone',
    'Cell Number',
    'MSISDN',
    'M-PESA No',
    'MPESA Number',
    'Mpesa Phone Number',
    'M-PESA Phone',
    'M-PESA Phone No',
    'M-PESA Mobile',
    'M-PESA Mobile No',
    'M-PESA Mobile Number',
    'M-PESA Line',
    'Mpesa',
    'Mobile Money No',
    'Mobile Money Number',
    'MoMo No',
    'MoMo Number',
    'Wallet No',
    'Wallet Number',
    'Contact',
    'Contact No',
    'Phone Number (M-PESA)',
    'Phone (M-PESA)',
    'Mobile Number (M-PESA)',
    'Mobile No (M-PESA)',
    'Airtel Money No',
    'Telebirr No',
    'Telebirr Number',
    'Telefone',
    'Telefoni',
    'Numéro de téléphone',
    'N° de téléphone',
    'N° Téléphone',
    'Téléphone',
    'Simu',
    'Namba ya Simu',
    'Nambari ya Simu',
  ],
  help: 'Mobile number, for example 0712 345 678 or +254712345678.',
  example: '0712345678',
  format: 'text',
  width: 16,
  required: true,
  decides: 'payment',
  read(view, context): Reading<Phone> {
    const { country } = context;
    const damage = damageOf(view);
    if (damage) return { ok: false, issue: damage };
    if (view.cell?.type === 'date') return wrong(view, 'PB-CELL-DATE');
    const text = trimmed(view);
    const digits = view.cell?.type === 'number' ? (plainDecimal(text) ?? text) : text;
    // In a number cell, a fraction or a minus is not the separator that it could be in a text.
    const stray = view.cell?.type === 'number' && /\D/.exec(digits);
    if (stray) return wrong(view, 'PB-PHONE-CHARS', { character: stray[0] });
    const parsed = parseMsisdn(digits, country);
    if (parsed.ok) return readNumber(view, parsed, context);
    if (isTwoNumbers(digits, country)) return wrong(view, 'PB-PHONE-TWO');
    switch (parsed.problem) {
      case 'missing':
        return wrong(view, 'PB-PHONE-MISSING');
      case 'shortened':
        return wrong(view, 'PB-PHONE-EXP');
      case 'characters':
        return wrong(view, 'PB-PHONE-CHARS', { character: visible(parsed.part ?? '') });
      case 'stray':
        return wrong(view, 'PB-PHONE-STRAY', { stray: parsed.part ?? '' });
      case 'country':
        return wrong(view, 'PB-PHONE-COUNTRY', { country });
      case 'landline':
        return wrong(view, 'PB-PHONE-LANDLINE');
      default:
        return wrong(view, 'PB-PHONE-LENGTH', {
          digits: parsed.digits,
          example: phoneExamples[country] ?? 'with its country code',
        });
    }
  },
};

export const network: Column<Network> = {
  id: 'network',
  heading: 'Network',
  aliases: ['Operator', 'Provider', 'Telco', 'MNO', 'Network Code', 'MCCMNC', 'Mtandao'],
  help: 'Mobile network; empty means the one the number was first given to.',
  example: 'Safaricom',
  format: 'text',
  choices: networks.filter(({ country }) => country === 'KE').map((known) => known.name),
  width: 14,
  required: true,
  read(view, { country }): Reading<Network> {
    const damage = damageOf(view);
    if (damage) return { ok: false, issue: damage };
    const found = networkNamed(trimmed(view), country);
    return found ? value(found) : { ok: false, issue: networkIssue(view, country) };
  },
};

/** Returns the issue of a cell that names no network of a country, or a number of none. */
export function networkIssue(view: CellView, country: string): Issue {
  const names = networks.filter((known) => known.country === country).map((known) => known.name);
  if (names.length === 0) return issueAt(view, 'PB-NETWORK-COUNTRY', { country });
  return issueAt(view, 'PB-NETWORK-UNKNOWN', { networks: names.join(', ') });
}

/** The columns that every kind has. */
export const shared = {
  reference: optional(reference),
  name,
  amount,
  currency: optional(currency),
  purpose: optional(purpose),
  note: optional(noteUpTo(longestOfRow.note)),
} as const;
