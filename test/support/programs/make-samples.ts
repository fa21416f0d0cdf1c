/**
 * Makes the sample sheets: `npm run samples`. They are checked in, and look the way such files reach a finance office:
 * a payroll export with titles, its own headings, deductions, numbers that lost their zero and a total row; a list
 * of suppliers saved as CSV; and a list with every way of paying. People, businesses and numbers are invented.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import ExcelJS from 'exceljs';

const SAMPLES = path.join(import.meta.dirname, '..', '..', '..', 'samples');

const people =
  `Jane Wanjiku|Ali Hassan|Ann Atieno|Peter Otieno|Mary Njeri|John Kamau|Grace Achieng|David Mwangi|Faith Chebet
Joseph Kiprono|Mercy Wambui|Samuel Ochieng|Esther Nyambura|Daniel Mutua|Lucy Akinyi|Brian Kiplagat|Alice Muthoni
Kevin Omondi|Rose Jepkosgei|Paul Karanja|Agnes Adhiambo|Francis Musyoka|Caroline Wairimu|Dennis Barasa|Joyce Moraa
Stephen Njoroge|Beatrice Nekesa|Collins Kibet|Irene Makena|George Onyango|Halima Abdi|Victor Wekesa|Naomi Cherono
Moses Gitau|Eunice Kerubo|Isaac Rotich|Winnie Auma|Patrick Maina|Susan Mumbua|Hassan Juma`
    .split(/[|\n]/)
    .map((name) => name.trim());

const tills = [
  ['Mama Njoki Caterers', '512345', 38_500],
  ['Kilele Office Supplies', '5234410', 61_240.5],
  ['Safi Cleaning Services', '778812', 45_000],
  ['Jua Kali Repairs', '903311', 12_750],
  ['Upepo Couriers', '667788', 9_600],
] as const;

const paybills = [
  ['Nairobi Water', '444400', '0012345678', 27_330],
  ['Kenya Power', '888880', '24680135', 54_120.75],
  ['Usalama Insurance', '522522', 'POL-88-2031', 118_000],
  ['Umoja Sacco', '400200', '0100237788', 240_000],
  ['Taa Fibre Internet', '247247', 'ACC 55120', 15_999],
] as const;

const DEPARTMENTS = ['Finance', 'Field', 'Stores', 'Sales'];
const HEADINGS = [
  'Staff No',
  'Employee Name',
  'Department',
  'Payment Method',
  'Mobile No.',
  'Till No',
  'Paybill',
  'A/C No',
  'Basic',
  'PAYE',
  'NSSF',
  'SHIF',
  'Housing Levy',
  'Net Pay',
];

/** Phones as payroll systems store them: most as numbers without their zero, some as text in several forms. */
function phoneOf(index: number): string | number {
  const first = index % 6 === 5 ? 730_000_000 : 700_000_000;
  const national = first + ((index * 7_919_873) % (index % 6 === 5 ? 9_000_000 : 29_000_000)) + 101;
  if (index % 9 === 4) return `+254${national}`;
  if (index % 9 === 7)
    return `0${String(national).slice(0, 3)} ${String(national).slice(3, 6)} ${String(national).slice(6)}`;
  return index % 9 === 2 ? `0${national}` : national;
}

/** Kenyan deductions, roughly: figures for a sample, not for a payroll. */
function payOf(index: number): readonly [basic: number, paye: number, nssf: number, shif: number, levy: number] {
  const basic = 28_000 + ((index * 3_701) % 61) * 1_000;
  const paye = Math.round(Math.max(0, basic - 24_000) * 0.24);
  return [basic, paye, 1_080, Math.round(basic * 0.0275), Math.round(basic * 0.015)];
}

async function payroll(): Promise<void> {
  const book = new ExcelJS.Workbook();
  const created = new Date(Date.UTC(2026, 10, 20));
  book.creator = 'Sample payroll';
  book.created = created;
  book.modified = created;
  const sheet = book.addWorksheet('November 2026', { views: [{ state: 'frozen', ySplit: 4 }] });
  sheet.addRow(['Kilimo Bora Ltd']).font = { bold: true, size: 14 };
  sheet.addRow(['Net pay and suppliers, November 2026']);
  sheet.addRow([]);
  const heading = sheet.addRow(HEADINGS);
  heading.font = { bold: true };
  let total = 0;
  for (const [index, name] of people.entries()) {
    const [basic, paye, nssf, shif, levy] = payOf(index);
    const net = basic - paye - nssf - shif - levy;
    total += net;
    const method = index % 6 === 5 ? 'Mobile Money' : 'M-PESA';
    const staff = `KB${String(index + 101).padStart(4, '0')}`;
    const department = DEPARTMENTS[index % DEPARTMENTS.length];
    sheet.addRow([
      staff,
      name,
      department,
      method,
      phoneOf(index),
      null,
      null,
      null,
      basic,
      paye,
      nssf,
      shif,
      levy,
      net,
    ]);
  }
  for (const [index, [name, till, amount]] of tills.entries()) {
    total += amount;
    sheet.addRow([
      `SUP-${index + 11}`,
      name,
      'Suppliers',
      'Buy Goods',
      null,
      till,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      amount,
    ]);
  }
  for (const [index, [name, paybill, account, amount]] of paybills.entries()) {
    total += amount;
    sheet.addRow([
      `BIL-${index + 21}`,
      name,
      'Bills',
      'PayBill',
      null,
      null,
      paybill,
      account,
      null,
      null,
      null,
      null,
      null,
      amount,
    ]);
  }
  const last = sheet.rowCount;
  const totals = sheet.addRow(['TOTAL']);
  totals.getCell(14).value = { formula: `SUM(N5:N${last})`, result: Math.round(total * 100) / 100 };
  totals.font = { bold: true };
  sheet.addRow([]);
  sheet.addRow(['Prepared by: C. Wairimu, 20 November 2026']);
  for (const column of [9, 10, 11, 12, 13, 14]) sheet.getColumn(column).numFmt = '#,##0.00';
  for (const [index, width] of [10, 24, 12, 15, 16, 10, 10, 14, 12, 12, 10, 10, 13, 14].entries()) {
    sheet.getColumn(index + 1).width = width;
  }
  await book.xlsx.writeFile(path.join(SAMPLES, 'payroll.xlsx'));
}

function suppliers(): void {
  const lines = [
    'Invoice No;Supplier;Type;Phone;Till number;Paybill number;Account number;Amount;Narration',
    'INV-2041;Mama Njoki Caterers;till;;512345;;;18500.00;Board lunch',
    'INV-2042;"Kilele; Office Supplies";till;0722 100 200;5234410;;;7240.50;"Paper, toner"',
    'INV-2043;Nairobi Water;paybill;;;444400;0012345678;3120.00;October',
    'INV-2044;Kenya Power;paybill;;;888880;24680135;21044.25;Token',
    'INV-2045;Jua Kali Repairs;wallet;0733 444 555;;;;6300.00;Gate motor',
    'INV-2046;Upepo Couriers;;;667788;;;950.00;Parcels',
    'INV-2047;Amani Gardeners;;0110 222 333;;;;4800.00;Compound',
    'INV-2048;Taa Fibre Internet;paybill;;;247247;ACC 55120;5999.00;Link',
  ];
  writeFileSync(path.join(SAMPLES, 'suppliers.csv'), `${lines.join('\r\n')}\r\n`);
}

/** Every way of paying in one list; the bills are those that the practice service offers. */
function allKinds(): void {
  const lines = [
    'Reference,Payment type,Name,Phone,Till number,Paybill number,Bank code,Bank name,Bill service,Account number,Amount,Purpose,Note',
    'KB0101,wallet,Jane Wanjiku,0712 345 678,,,,,,,48250.50,Salary November,',
    'KB0102,M-PESA,Ali Hassan,+254722000456,,,,,,,39900,Salary November,Back pay included',
    'KB0103,Bank transfer,Grace Achieng,0733 444 567,,,68,Practice Bank,,0100237788123,61200.75,Salary November,',
    'KB0104,EFT,Peter Otieno,,,,PRACKENA,Practice Bank,,0112-345-688,55310,Salary November,',
    'KB0109-A,airtime,Faith Chebet,0712 345 779,,,,,,,500,Field work,',
    'KB0114-A,Airtime,Daniel Mutua,0733 222 457,,,,,,,250,Field work,',
    'SUP-11,Buy Goods,Mama Njoki Caterers,,512345,,,,,,18500,Board lunch,',
    'SUP-12,till,Safi Cleaning Services,0722 100 200,778812,,,,,,45000,November,',
    'BIL-21,PayBill,Usalama Insurance,,,522522,,,,POL-88-2031,118000,Premium,',
    'BIL-22,paybill,Umoja Sacco,,,400200,,,,0100237788,24000,Remittance,',
    'BIL-31,bill,Head office power,,,,,,Electricity prepaid,37012345678,7500,Power,Meter at the gate',
    'BIL-32,bill,Head office water,0722 100 200,,,,,City water,0012-3456,3120,Water,',
    'BIL-33,bill,Depot power,,,,,,4102,20411876,21044,Power,',
  ];
  writeFileSync(path.join(SAMPLES, 'all-kinds.csv'), `${lines.join('\r\n')}\r\n`);
}

await payroll();
suppliers();
allKinds();
