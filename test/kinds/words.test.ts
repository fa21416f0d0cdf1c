/**
 * What a person reads and may write in a sheet, word by word: headings, help, and the words of the type column. The tables
 * of the kinds are held against these, so that none is lost or changed by a slip. The other headings come from payroll
 * exports of East Africa, in English, Swahili and French. A new column or kind is written down here as well.
 */
import { describe, expect, test } from 'vitest';
import { matchHeadings } from '../../src/batch/match-headings.ts';
import { networks } from '../../src/domain/network.ts';
import {
  columnDescriptions,
  isShownByColumns,
  kindOfRow,
  kinds,
  kindTitles,
  markColumns,
} from '../../src/kinds/index.ts';
import { rowViewOf, sheetRow } from '../support/sheets/sheet-rows.ts';

/** By column: everything else that people write above it, between bars. */
const otherHeadings: Readonly<Record<string, string>> = {
  reference:
    'Staff No | Staff Number | Payroll No | Payroll Number | P/No | PF No | Personal No | Emp No | Employee ID | Employee No | Employee Number | Employee Code | Worker ID | Invoice No | Invoice Number | Ref | Ref No | Our Ref | Voucher No | Matricule | Nambari ya Mfanyakazi',
  type: 'Payment Method | Payment Mode | Payment Channel | Payment Option | Pay Method | Pay Mode | Mode of Payment | Mode of Pay | Mode | Channel | Method | Pay Via | Paid Via | Pay Through | Payment Through | Account Type | Mode de paiement | Njia ya Malipo',
  name: "Employee Name | Employee | Staff Name | Full Name | Full Names | Names | Payee | Payee Name | Beneficiary | Beneficiary Name | Account Name | Recipient | Recipient Name | Supplier | Supplier Name | Payee's Name | Name of Payee | Employee's Name | Name of Employee | Name of Beneficiary | Member Name | Worker Name | Farmer Name | Farmer | Contractor | Contractor Name | Vendor | Vendor Name | Nom | Nom complet | Noms | Nom et prénom | Noms et prénoms | Employé | Bénéficiaire | Fournisseur | Jina | Jina Kamili | Majina | Jina la Mfanyakazi | Claimant | Participant | Grower | Amazina | Amazina yombi | Izina",
  amount:
    'Net Pay | Nett Pay | Net Salary | Net Wage | Net Wages | Net Earnings | Net to Pay | Net Payable | Net Payment | Net Amount Payable | Net Salary Payable | Net Pay Payable | Take Home | Take Home Pay | Salaire net | Net à payer | Mshahara halisi | Mshahara wa Mkononi | Net à percevoir | Amount Payable | Amount to Pay | Amount to be Paid | Amount Due | Payable | Total Payable | Net Payable Amount | Total Net Pay | Payment Amount | Payout | Payout Amount | Disbursement Amount | Net Disbursement | Net Dividend | Net Refund | Refund Amount | Amount to Refund | Transfer Amount | Montant à payer | Montant net à payer | Kiasi cha Kulipwa | Approved Amount | Amount Approved | Amount Awarded | Award Amount | Amount Allocated | Bursary Amount | Net Entitlement | Dividend Payable | Amt | Montant | Kiasi | Amafaranga | Net | Net Amount | Net Amount (VAT) | Salary | Salary Amount | Pay | Pay Amount | Wages | Total Amount | Total Pay | Montant net | Stipend | Total Per Diem | Mshahara | Malipo | Umushahara',
  currency: 'Ccy | Curr | Currency Code | Devise | Sarafu',
  purpose: 'Reason | Payment Reason | Narration | Narrative | Description | Details | Remarks | Sababu',
  note: 'Comment | Comments | Payment Notes',
  phone:
    'Mobile | Mobile No | Mobile Number | Mobile Phone | Mobile Phone No | Mobile Phone Number | Phone No | Phone Number | Telephone | Telephone No | Telephone Number | Tel | Tel No | Tel Contact | Cell | Cellphone | Cell Number | MSISDN | M-PESA No | MPESA Number | Mpesa Phone Number | M-PESA Phone | M-PESA Phone No | M-PESA Mobile | M-PESA Mobile No | M-PESA Mobile Number | M-PESA Line | Mpesa | Mobile Money No | Mobile Money Number | MoMo No | MoMo Number | Wallet No | Wallet Number | Contact | Contact No | Phone Number (M-PESA) | Phone (M-PESA) | Mobile Number (M-PESA) | Mobile No (M-PESA) | Airtel Money No | Telebirr No | Telebirr Number | Telefone | Telefoni | Numéro de téléphone | N° de téléphone | N° Téléphone | Téléphone | Simu | Namba ya Simu | Nambari ya Simu',
  network: 'Operator | Provider | Telco | MNO | Network Code | MCCMNC | Mtandao',
  till_number:
    'Till | Till No | Till Number (Buy Goods) | Till No (Buy Goods) | Buy Goods | Buy Goods Till | Buy Goods Till No | Buy Goods Till Number | Buy Goods No | Buy Goods Number | Merchant Till | M-PESA Till | Lipa na M-PESA Till | M-PESA Till No | M-PESA Till Number',
  paybill_number: 'Paybill | Paybill No | Pay Bill | Business No | Business Number | Short Code | Bank Paybill Number',
  account_number:
    'A/C | A/C No | A/C Number | Acc No | Acc Number | Acct No | Acct Number | Account No | Account | Bank A/C | Bank A/C No | Bank A/C Number | Bank Acc No | Bank Acct No | Bank Account | Bank Account No | Bank Account Number | Customer Account | Meter No | N° de compte | Akaunti | Konti',
  bank_code:
    'Bank Sort Code | Sort Code | SWIFT | SWIFT Code | BIC | SWIFT/BIC | Code banque | Code SWIFT | Msimbo wa Benki',
  bank_name: 'Bank | Name of Bank | Banque | Nom de la banque | Benki | Jina la Benki | Banki',
  recipient_address: 'Payee Address | Beneficiary Address | Adresse du bénéficiaire | Anwani ya Mpokeaji',
  recipient_email: 'Payee Email | Beneficiary Email | E-mail du bénéficiaire | Barua pepe ya Mpokeaji',
  recipient_id_type: "Payee ID Type | Beneficiary ID Type | Type de pièce d'identité | Aina ya Kitambulisho",
  recipient_id_number: "Payee ID Number | Beneficiary ID Number | N° de pièce d'identité | Namba ya Kitambulisho",
  bill_service: 'Biller | Biller Name | Bill Service ID | Utility Company | Huduma ya Bili',
  hold: "On hold | Put on hold | Held | Hold reason | Reason for hold | Hold payment | Payment hold | Do not pay | Don't pay | Stop payment | Payment stopped | Usilipe | Imezuiwa | Zuia | Sababu ya kuzuia | Sitisha malipo | Ne pas payer | En attente | Suspendu | Bloqué | Motif de suspension | Hold Salary | Salary Hold | Hold Pay | Hold Status | Payment Block | Pay or Hold | Hold or Pay | Pay/Hold | Not to be Paid | Stopped | Stop Pay | Stop Salary | Suspend | Suspended | Exclude | Excluded | Blocked | Asilipwe | Sitisha | Simamisha Malipo | Amesimamishwa | Suspendre | À suspendre | Paiement suspendu | Paiement bloqué | À bloquer | À exclure | Exclu",
};

/** By column: heading, width, example and help in the templates. */
const shown: Readonly<Record<string, readonly [heading: string, width: number, example: string, help: string]>> = {
  reference: [
    'Reference',
    16,
    'EMP-001',
    'Your own number for this payment, different in every row: staff number, invoice number.',
  ],
  type: [
    'Payment type',
    14,
    'wallet',
    'How this row is paid. It may be empty if the filled columns make it clear, but never for airtime. Rows with "cash" are left out.',
  ],
  name: ['Name', 26, 'Jane Wanjiku', 'Who is paid: the person or the business.'],
  amount: ['Amount', 14, '15000.00', 'The amount to pay: more than zero, with no more decimals than the currency has.'],
  currency: [
    'Currency',
    10,
    'KES',
    'Three-letter code; empty means the currency of the batch. One sheet pays one currency.',
  ],
  purpose: ['Purpose', 20, 'Salary June', 'What the payment is for; empty means the purpose of the batch.'],
  note: ['Note', 20, '', 'A note to send with the payment.'],
  phone: ['Phone', 16, '0712345678', 'Mobile number, for example 0712 345 678 or +254712345678.'],
  network: ['Network', 14, 'Safaricom', 'Mobile network; empty means the one the number was first given to.'],
  till_number: ['Till number', 13, '512345', 'Five to nine digits, as the business shows it.'],
  paybill_number: ['Paybill number', 15, '400200', 'Five to seven digits, as the business shows it.'],
  account_number: [
    'Account number',
    20,
    '0123456789',
    'The account that is paid: at the paybill, the bank or the biller.',
  ],
  bank_code: [
    'Bank code',
    12,
    '68',
    'The bank code in two or three digits, with or without the branch, or the SWIFT code.',
  ],
  bank_name: [
    'Bank name',
    20,
    'Practice Bank',
    'The name of the bank. It is sent with the payment, but the bank code decides where the money goes.',
  ],
  recipient_address: [
    'Recipient address',
    20,
    'Nairobi',
    'Where the recipient lives or works, if your provider asks for it.',
  ],
  recipient_email: [
    'Recipient email',
    24,
    'accounts@example.com',
    'E-mail address of the recipient, if your provider asks for it.',
  ],
  recipient_id_type: [
    'Recipient ID type',
    16,
    'National ID',
    'The type of ID, in at most 13 characters, for example National ID or Passport.',
  ],
  recipient_id_number: [
    'Recipient ID number',
    18,
    '12345678',
    'Number of an ID of the recipient, if your provider asks for it.',
  ],
  bill_service: [
    'Bill service',
    24,
    'Electricity prepaid',
    'The biller: the name or identifier of the service, as the provider lists it.',
  ],
  hold: [
    'Hold',
    20,
    '',
    'Why this row should not be paid now. The row is then counted but not sent. Leave empty to pay it.',
  ],
};

/** By kind: title, what the instructions say of it, and what people write into the type column besides name and title. */
const ways: Readonly<Record<string, readonly [title: string, summary: string, words: string]>> = {
  wallet: [
    'Mobile wallet',
    "Money to a person's mobile wallet, by phone number.",
    'mobile | mobile money | simu | phone',
  ],
  till: [
    'Business till',
    'Money to a business by its till (buy goods) number.',
    'buy goods | till number | tillnumber | merchant till | buygoods',
  ],
  paybill: [
    'Business paybill',
    'Money to an account at a business by its paybill number.',
    'pay bill | paybill number | business number',
  ],
  bank: [
    'Bank account',
    'Money to an account at a bank, by the code of the bank and the account number.',
    'bank transfer | bank deposit | direct deposit | direct credit | eft | rtgs | pesalink | swift | benki | banque | virement | savings | savings account | current | current account',
  ],
  airtime: [
    'Airtime',
    'Airtime for a phone, in whole units of the currency. The payment type of the row must say "airtime".',
    'airtime top-up | top-up | muda wa maongezi | vocha | recharge',
  ],
  bill: [
    'Bill',
    "A customer's bill at a service that the provider lists, in whole units of the currency.",
    'bills | bill payment | pay bills | utility | utility bill | biller | facture | bili',
  ],
};

const columns = columnDescriptions();
const idOf = (heading: string): readonly string[] => [...matchHeadings(sheetRow(1, [heading]), columns).places.keys()];

describe('a column', () => {
  test.each(Object.entries(otherHeadings))('%s is meant by each of its headings, and by no other', (id, others) => {
    const headings = others.split(' | ');
    for (const heading of headings) expect(idOf(heading), heading).toEqual([id]);
    expect(columns.find((column) => column.id === id)?.aliases).toEqual(headings);
  });

  test('says about itself what its heading in a template says', () => {
    const said = columns.map(({ id, heading, width, example, help }) => [id, [heading, width, example, help]]);
    expect(Object.fromEntries(said)).toEqual(shown);
    expect(Object.keys(otherHeadings)).toEqual(columns.map(({ id }) => id));
  });

  test('is a text, and only the amount a number, so that leading zeros survive', () => {
    const formats = columns.map(({ id, format }) => [id, format]);
    expect(formats).toEqual(columns.map(({ id }) => [id, id === 'amount' ? 'amount' : 'text']));
  });

  test('offers a choice where there are few values, and nowhere else', () => {
    const choices = columns.flatMap(({ id, choices: offered }) => (offered ? [[id, offered.join(' | ')]] : []));
    expect(Object.fromEntries(choices)).toEqual({
      type: 'wallet | till | paybill | bank | airtime | bill | cash',
      currency: 'KES | UGX | TZS | RWF | ETB | USD',
      network: 'Safaricom | Airtel Kenya | Telkom Kenya | Faiba | Equitel',
    });
  });
});

describe('a way of paying', () => {
  test.each(Object.entries(ways))(
    '%s is meant by each of its words, with any capitals and signs',
    (name, [title, , words]) => {
      for (const word of [name, title, ...words.split(' | ')]) {
        for (const written of [word, word.toUpperCase(), ` ${word.replaceAll(' ', '_')}.`]) {
          expect(kindOfRow(rowViewOf({ type: written })), written).toMatchObject({ name });
        }
      }
    },
  );

  test('is a wallet if the word names a network of any country, and nothing else', () => {
    const names = networks.flatMap(({ name, aliases }) => [name, ...aliases]);
    const written = ['MTN Mobile Money', 'M-Pesa (Safaricom)', 'Safaricom MPESA', 'AirtelMoney', 'Orange Money wallet'];
    for (const word of [...names, ...written]) {
      expect(kindOfRow(rowViewOf({ type: word })), word).toMatchObject({ name: 'wallet' });
    }
    const others = ['Lipa na M-Pesa', 'M-Pesa Paybill', 'Airtel airtime', 'Money', 'Safaricom Airtel', '63902'];
    for (const word of [...others, 'mtn'.repeat(9999)]) {
      expect(kindOfRow(rowViewOf({ type: word })), word).toMatchObject({ code: 'PB-TYPE-UNKNOWN' });
    }
  });

  test('is called and explained as people are told', () => {
    const told = kinds.map(({ name, title, summary, words }) => [name, [title, summary, words.join(' | ')]]);
    expect(Object.fromEntries(told)).toEqual(ways);
    expect(kindTitles).toEqual(Object.fromEntries(kinds.map(({ name }) => [name, ways[name]?.[0]])));
  });

  test('is shown by its columns where nothing else that may be filled in shows another', () => {
    expect(kinds.filter(isShownByColumns).map(({ name }) => name)).toEqual(['wallet', 'till', 'paybill']);
  });

  test('is named with all others where a row names none of them, or shows none', () => {
    const all = { kinds: 'wallet, till, paybill, bank, airtime, bill, cash' };
    expect(kindOfRow(rowViewOf({ type: 'cheque' }))).toMatchObject({ code: 'PB-TYPE-UNKNOWN', parameters: all });
    expect(kindOfRow(rowViewOf({ name: 'Jane' }))).toMatchObject({ code: 'PB-TYPE-UNCLEAR', parameters: all });
  });

  test('is not guessed where a column that lost its value would show another one', () => {
    const lost = { till_number: { type: 'error', text: '#REF!' }, paybill_number: '400200' } as const;
    expect(kindOfRow(rowViewOf(lost))).toMatchObject({ code: 'PB-TYPE-UNCLEAR' });
    expect(kindOfRow(rowViewOf({ till_number: { merged: true } }))).toMatchObject({ name: 'till' });
  });

  test.each(['NULL', 'nan', 'N/A', '#N/A', 'None', 'nil', '-', '—', '?', '0', '0.0'])(
    'is not shown by the placeholder "%s" in the column of another one',
    (placeholder) => {
      const ofWallet = { phone: '0712345678', till_number: placeholder, bank_code: ` ${placeholder} ` };
      expect(kindOfRow(rowViewOf(ofWallet))).toMatchObject({ name: 'wallet' });
      expect(kindOfRow(rowViewOf({ phone: placeholder, till_number: '512345' }))).toMatchObject({ name: 'till' });
    },
  );

  test.each(['TBA', 'tbc', ' TBD ', 'to be advised'])('is shown by "%s", which announces a value', (announced) => {
    expect(kindOfRow(rowViewOf({ phone: '0712345678', till_number: announced }))).toMatchObject({ name: 'till' });
    const either = { phone: '0712345678', bank_code: announced };
    expect(kindOfRow(rowViewOf(either))).toMatchObject({ code: 'PB-TYPE-UNCLEAR' });
    expect(kindOfRow(rowViewOf({ ...either, type: 'wallet' }))).toMatchObject({ name: 'wallet' });
  });

  test('is shown by a placeholder alone, so that its own column is told to lack a value', () => {
    expect(kindOfRow(rowViewOf({ phone: 'N/A' }))).toMatchObject({ name: 'wallet' });
    expect(kindOfRow(rowViewOf({ phone: '-', till_number: 'TBC' }))).toMatchObject({ name: 'till' });
    expect(kindOfRow(rowViewOf({ phone: '-', bank_code: '-' }))).toMatchObject({ code: 'PB-TYPE-UNCLEAR' });
  });

  test('has its columns described alone as well, with an example of its own', () => {
    const [airtime] = kinds.filter(({ name }) => name === 'airtime');
    if (!airtime) throw new Error('airtime is a way of paying');
    const described = columnDescriptions([airtime]);
    expect(described.map(({ id }) => id)).toEqual(
      'reference type name amount currency purpose note phone network hold'.split(' '),
    );
    const type = { id: 'type', example: 'airtime', choices: ['airtime', 'cash'], neededFor: [], usedFor: ['Airtime'] };
    expect(described[1]).toMatchObject(type);
    expect(described[2]).toMatchObject({ id: 'name', neededFor: ['Airtime'], usedFor: [] });
    expect(described[0]).toMatchObject({ id: 'reference', neededFor: [], usedFor: ['Airtime'] });
    expect(columnDescriptions([])).toMatchObject([{ id: 'type', example: '', choices: ['cash'] }, { id: 'hold' }]);
  });

  test('goes by the channel that the specification or the service shows for it, and is marked by its own column', () => {
    expect(kinds.map(({ name, channelType, mark, contact }) => [name, channelType, mark, contact])).toEqual([
      ['wallet', 1, 'phone', undefined],
      ['till', 13, 'till_number', 'phone'],
      ['paybill', 14, 'paybill_number', undefined],
      ['bank', 21, 'bank_code', undefined],
      ['airtime', 7, undefined, undefined],
      ['bill', 30, 'bill_service', undefined],
    ]);
    expect(markColumns).toEqual(['phone', 'till_number', 'paybill_number', 'bank_code', 'bill_service']);
  });
});
