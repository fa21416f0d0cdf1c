import { wholeUnitIssues } from './amount.ts';
import { carrierOf, carrierWarnings } from './carrier.ts';
import { issueAt, optional } from './column.ts';
import { network, phone, shared } from './columns.ts';
import { defineKind } from './kind.ts';

export const airtime = defineKind({
  name: 'airtime',
  title: 'Airtime',
  summary: 'Airtime for a phone, in whole units of the currency. The payment type of the row must say "airtime".',
  spec: 'Airtime purchase',
  words: ['airtime top-up', 'top-up', 'muda wa maongezi', 'vocha', 'recharge'],
  // No mark: a phone shows a mobile wallet, and money must not become airtime because a type was left out.
  titleWords:
    / (?:airtime|air time|(?:data|internet) bundles?|muda wa maongezi|muda wa hewani|credits? (?:telephoniques?|d appel|de communication)) /,
  channelType: 7,
  submission: 'airtime',
  columns: { ...shared, phone, network: optional(network) },
  check: ({ amount, note, phone: number, network: stated }, view, { country }) => [
    ...wholeUnitIssues(amount, view('amount')),
    // The request has no field for a note. Spec: "Airtime purchase".
    ...(note ? [issueAt(view('note'), 'PB-NOTE-UNSENT', { count: 1 })] : []),
    ...carrierWarnings(number, stated, view('network'), country),
  ],
  pay({ phone: number, network: stated }, { country }) {
    const carrier = carrierOf(number, stated, country);
    return {
      destination: `Airtime ${number.msisdn}`,
      payee: number.msisdn,
      ...(carrier && { network: carrier.name }),
      airtimeFor: number.msisdn.slice(1),
    };
  },
  examples: {
    good: [
      { about: 'a national number', cells: { name: 'Jane Wanjiku', phone: '0712 345 678', amount: '100' } },
      {
        about: 'a number with its network',
        cells: { name: 'Ali Hassan', phone: '+254733000111', network: 'Airtel', amount: '50.00' },
      },
    ],
    bad: [
      { about: 'cents', cells: { name: 'Jane', phone: '0712345678', amount: '99.50' }, code: 'PB-AMOUNT-WHOLE' },
      { about: 'no phone', cells: { name: 'Jane', amount: '100' }, code: 'PB-PHONE-MISSING' },
      { about: 'half a phone', cells: { name: 'Jane', phone: '07123', amount: '100' }, code: 'PB-PHONE-LENGTH' },
    ],
  },
});
