import { describe, expect, test } from 'vitest';
import { isOfOtherList, kindInTitle } from '../../src/kinds/titles.ts';

describe('the title of a list', () => {
  test.each([
    ['AIRTIME FOR MARCH'],
    ['Airtime_Nov_2026'],
    ['ACME LTD - AIRTIME NOVEMBER'],
    ['Data bundles for enumerators'],
    ['MUDA WA MAONGEZI - NOVEMBA 2026'],
    ['Crédit de communication – novembre'],
  ])('may say airtime: %s', (title) => {
    expect(kindInTitle(title)?.name).toBe('airtime');
  });

  test.each([
    ['INVOICE'],
    ['Invoice 0012'],
    ['DEBTORS LIST'],
    ['Debtors list as at 30th November 2026'],
    ['PRICE LIST'],
    ['UPENDO WOMEN GROUP - CONTRIBUTIONS RECEIVED'],
    ["Members' contributions November 2026"],
    ['DEDUCTIONS - NOV 2026'],
    ['Fee arrears Form 2'],
    ['M-PESA Statement'],
    ['Orodha ya wadaiwa'],
    ['Makato ya Novemba'],
    ['LISTE DES DÉBITEURS'],
    ['Cotisations reçues'],
    ['PAYMENTS MADE - OCTOBER 2026'],
  ])('may be that of a list that is not of payments to make: %s', (title) => {
    expect(isOfOtherList(title)).toBe(true);
  });

  test.each([
    ['Casual wages week 48'],
    ['Airtime allowance November'],
    ['AIRTIME REIMBURSEMENT'],
    ['Airtime refund to enumerators'],
    ['Airtime & transport facilitation'],
    ['Commission - airtime agents'],
    ['Marupurupu ya muda wa maongezi'],
    ['Frais de crédit de communication'],
    ['Data clerks'],
    ['INVOICES TO PAY'],
    ['Supplier invoices November'],
    ['Payment of invoice no. 123'],
    ['ARREARS NOV 2026'],
    ['FEES REFUND TERM 3'],
    ['Refund of contributions'],
    ['Statutory deductions remittance'],
    ['Price support to farmers'],
    ['CREDITORS LIST'],
    ['Collections'],
    ['Michango ya rambirambi'],
    ['Sheet1'],
  ])('may be that of payments of money to make: %s', (title) => {
    expect(kindInTitle(title)).toBeUndefined();
    expect(isOfOtherList(title)).toBe(false);
  });
});
