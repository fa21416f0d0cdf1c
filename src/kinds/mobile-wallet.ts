import { invariant } from '../domain/invariant.ts';
import { carrierOf, carrierWarnings } from './carrier.ts';
import { optional } from './column.ts';
import { network, networkIssue, phone, shared } from './columns.ts';
import { defineKind } from './kind.ts';

export const mobileWallet = defineKind({
  name: 'wallet',
  title: 'Mobile wallet',
  summary: "Money to a person's mobile wallet, by phone number.",
  spec: 'Mobile-wallet transfer rules',
  words: ['mobile', 'mobile money', 'simu', 'phone'],
  mark: 'phone',
  channelType: 1,
  submission: 'payment-order',
  columns: { ...shared, phone, network: optional(network) },
  check({ phone: number, network: stated }, view, { country }) {
    if (!carrierOf(number, stated, country)) return [networkIssue(view('phone'), country)];
    return carrierWarnings(number, stated, view('network'), country);
  },
  pay({ phone: number, network: stated }, { country }) {
    const carrier = carrierOf(number, stated, country);
    invariant(carrier, 'check() refused a number whose network is not known');
    return {
      destination: number.msisdn,
      payee: number.msisdn,
      network: carrier.name,
      recipient: { phoneNumber: number.msisdn, primaryAccountNumber: number.msisdn, mccmnc: carrier.mccmnc },
    };
  },
  examples: {
    good: [
      { about: 'a national number', cells: { name: 'Jane Wanjiku', phone: '0712 345 678', amount: '15000' } },
      {
        about: 'a number whose zero a spreadsheet dropped',
        cells: { name: 'Ali Hassan', phone: '712345678', amount: '1' },
      },
      {
        about: 'a number moved to another network',
        cells: { name: 'Ann Atieno', phone: '+254733000111', network: 'Safaricom', amount: '20.50' },
      },
    ],
    bad: [
      {
        about: 'a number with a digit too few',
        cells: { name: 'Jane', phone: '071234567', amount: '10' },
        code: 'PB-PHONE-LENGTH',
      },
      {
        about: 'a letter O instead of a zero',
        cells: { name: 'Jane', phone: '071234567O', amount: '10' },
        code: 'PB-PHONE-CHARS',
      },
      { about: 'no phone', cells: { name: 'Jane', amount: '10' }, code: 'PB-PHONE-MISSING' },
      {
        about: 'a network nobody knows',
        cells: { name: 'Jane', phone: '0712345678', network: 'Nokia', amount: '10' },
        code: 'PB-NETWORK-UNKNOWN',
      },
    ],
  },
});
