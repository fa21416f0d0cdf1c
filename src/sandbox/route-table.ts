/** The routes of the practice service as data. Spec: "Find Transaction Routes". */
import { type Scale, scaleOf } from './scale.ts';

/** A way the money can take. */
export interface Rail {
  readonly routeId: string;
  /** Route id that a status record shows: observed to differ from the one that was sent. */
  readonly shownRouteId: string;
  readonly channelType: number;
  readonly description: string;
  readonly scale: Scale;
  /** The operation that it carries. */
  readonly use: 'submit-order' | 'buy-airtime' | 'pay-bill' | 'create-checkout';
  /** Parts of an order line that the transfer rules put to use on this rail; a remitter is observed for banks. */
  readonly needs: readonly ('institutionIdentifier' | 'accountNo' | 'remitter' | 'mccmnc')[];
}

/** A route with its channels, which share one scale. */
export interface RouteEntry {
  readonly id: string;
  readonly category: string;
  readonly categoryDescription: string;
  readonly integration: string;
  readonly country: string;
  readonly use: Rail['use'];
  readonly scale: Scale;
  readonly channels: readonly Pick<Rail, 'channelType' | 'description' | 'needs'>[];
}

/** Bills are paid by this route. */
export const BILL_ROUTE_ID = '5a0d0006-0c1e-4e0a-9a51-70726163746f';

/** All routes, as Find Transaction Routes lists them. */
export const routeTable: readonly RouteEntry[] = [
  {
    id: '5a0d0001-0c1e-4e0a-9a51-70726163746f',
    category: '3',
    categoryDescription: 'Mobile Wallet Transfers',
    integration: 'Practice Mobile Money',
    country: 'KENYA',
    use: 'submit-order',
    scale: scaleOf('5a0d1001-0c1e-4e0a-9a51-70726163746f', 'Mobile wallet, Kenya', 'KES', [
      ['100', '0'],
      ['1500', '5'],
      ['5000', '9'],
      ['20000', '11'],
      ['250000', '13'],
    ]),
    channels: [{ channelType: 1, description: 'Mobile wallet', needs: ['mccmnc'] }],
  },
  {
    id: '5a0d0002-0c1e-4e0a-9a51-70726163746f',
    category: '6',
    categoryDescription: 'Business Transfers',
    integration: 'Practice Mobile Money',
    country: 'KENYA',
    use: 'submit-order',
    scale: scaleOf('5a0d1002-0c1e-4e0a-9a51-70726163746f', 'Business transfer, Kenya', 'KES', [
      ['100', '0'],
      ['1000', '10'],
      ['5000', '22.50'],
      ['20000', '40'],
      ['100000', '62'],
      ['999999', '75'],
    ]),
    channels: [
      { channelType: 13, description: 'Business till', needs: ['institutionIdentifier'] },
      { channelType: 14, description: 'Business paybill', needs: ['institutionIdentifier', 'accountNo'] },
    ],
  },
  {
    id: '5a0d0003-0c1e-4e0a-9a51-70726163746f',
    category: '1',
    categoryDescription: 'Bank Transfer',
    integration: 'Practice Bank',
    country: 'KENYA',
    use: 'submit-order',
    scale: scaleOf('5a0d1003-0c1e-4e0a-9a51-70726163746f', 'Bank transfer, Kenya', 'KES', [
      ['10000', '30'],
      ['50000', '45'],
      ['200000', '65'],
      ['10000000', '100'],
    ]),
    channels: [{ channelType: 21, description: 'Bank account', needs: ['institutionIdentifier', 'remitter'] }],
  },
  {
    id: '5a0d0004-0c1e-4e0a-9a51-70726163746f',
    category: '3',
    categoryDescription: 'Mobile Wallet Transfers',
    integration: 'Practice Mobile Money',
    country: 'UGANDA',
    use: 'submit-order',
    scale: scaleOf('5a0d1004-0c1e-4e0a-9a51-70726163746f', 'Mobile wallet, Uganda', 'UGX', [
      ['5000', '100'],
      ['60000', '350'],
      ['500000', '1000'],
      ['7000000', '1500'],
    ]),
    channels: [{ channelType: 1, description: 'Mobile wallet', needs: ['mccmnc'] }],
  },
  {
    id: '5a0d0005-0c1e-4e0a-9a51-70726163746f',
    category: '3',
    categoryDescription: 'Mobile Wallet Transfers',
    integration: 'Practice Mobile Money',
    country: 'TANZANIA',
    use: 'submit-order',
    scale: scaleOf('5a0d1005-0c1e-4e0a-9a51-70726163746f', 'Mobile wallet, Tanzania', 'TZS', [
      ['10000', '250'],
      ['100000', '600'],
      ['5000000', '1200'],
    ]),
    channels: [{ channelType: 1, description: 'Mobile wallet', needs: ['mccmnc'] }],
  },
  {
    id: '5a0d0009-0c1e-4e0a-9a51-70726163746f',
    category: '1',
    categoryDescription: 'Bank Transfer',
    integration: 'Practice Bank',
    country: 'UGANDA',
    use: 'submit-order',
    scale: scaleOf('5a0d1009-0c1e-4e0a-9a51-70726163746f', 'Bank transfer, Uganda', 'UGX', [
      ['1000000', '3000'],
      ['20000000', '6500'],
      ['1000000000', '15000'],
    ]),
    channels: [{ channelType: 21, description: 'Bank account', needs: ['institutionIdentifier', 'remitter'] }],
  },
  {
    id: '5a0d0008-0c1e-4e0a-9a51-70726163746f',
    category: '2',
    categoryDescription: 'Airtime Purchase',
    integration: 'Practice Airtime',
    country: 'KENYA',
    use: 'buy-airtime',
    scale: scaleOf('5a0d1008-0c1e-4e0a-9a51-70726163746f', 'Airtime, Kenya', 'KES', [
      ['100', '0'],
      ['1000', '1'],
      ['10000', '2.50'],
    ]),
    channels: [{ channelType: 7, description: 'Airtime purchase', needs: [] }],
  },
  {
    id: BILL_ROUTE_ID,
    category: '4',
    categoryDescription: 'Bill Payments',
    integration: 'Practice Billers',
    country: 'KENYA',
    use: 'pay-bill',
    scale: scaleOf('5a0d1006-0c1e-4e0a-9a51-70726163746f', 'Bill payment, Kenya', 'KES', [
      ['500', '5'],
      ['5000', '15'],
      ['50000', '30'],
      ['250000', '50'],
    ]),
    channels: [{ channelType: 30, description: 'Bill payment', needs: [] }],
  },
  {
    id: '5a0d0007-0c1e-4e0a-9a51-70726163746f',
    category: '10',
    categoryDescription: 'Card Payment',
    integration: 'Practice Cards',
    country: 'KENYA',
    use: 'create-checkout',
    scale: scaleOf('5a0d1007-0c1e-4e0a-9a51-70726163746f', 'Card checkout, Kenya', 'KES', [['1000000', '0']]),
    channels: [{ channelType: 158, description: 'Card checkout', needs: [] }],
  },
];
