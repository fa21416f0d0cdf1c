/** Bodies of the requests that are not payment orders, good unless a test changes them. */

const CALL_BACK = 'https://callbacks.example.test/';

export const AIRTIME = '/v1/airtime-purchase';
export const BILLS = '/v1/bill-payments';
export const CHECKOUTS = '/v1/checkout-order/new-order';
export const DEPOSITS = '/v1/express-deposit';
export const PERSONS = '/v1/kyc-request/validate';
export const ACCOUNTS = '/v1/account/validate';

type Changes = Readonly<Record<string, unknown>>;

/** Airtime for one phone after another, amounts in KES. */
export const airtimeBody = (id: string, recipients: readonly (readonly [string, number])[], changes: Changes = {}) => ({
  originatorConversationId: id,
  callbackURL: CALL_BACK,
  recipients: recipients.map(([phoneNumber, amount]) => ({
    currencyCode: 'KES',
    phoneNumber,
    amount,
    name: 'Amina Otieno',
  })),
  ...changes,
});

export const billBody = (id: string, changes: Changes = {}) => ({
  serviceId: '4101',
  accountNumber: '37000777',
  transactionType: 2,
  msisdn: '254712000777',
  transactionDesc: 'Electricity',
  originatorConversationId: id,
  amount: 500,
  customerNames: 'Amina Otieno',
  countryCode: 'KE',
  currencyCode: 'KES',
  saveBillerNumber: false,
  callBackUrl: CALL_BACK,
  ...changes,
});

export const checkoutBody = (id: string, changes: Changes = {}) => ({
  originatorConversationId: id,
  checkoutRouteId: '5a0d0007-0c1e-4e0a-9a51-70726163746f',
  checkoutRouteChannelType: 158,
  checkoutNotes: 'Two <tickets>',
  checkoutCcy: 404,
  checkoutDueDate: '2026-11-30T20:59:59Z',
  checkoutReturnUrl: 'https://shop.example.test/thanks',
  checkoutCancelUrl: 'https://shop.example.test/cart',
  checkoutCallbackUrl: CALL_BACK,
  checkoutReference: `cart-${id}`,
  checkoutAccountNo: 'COLLECT-1',
  checkoutOrderLines: [
    { sku: 'T', name: 'Ticket', price: 1250.5 },
    { sku: 'F', name: 'Fee', price: 50 },
  ],
  ...changes,
});

export const depositBody = (id: string, changes: Changes = {}) => ({
  ShortCode: '600111',
  Amount: '1500.50',
  PhoneNumber: '254712000777',
  TransactionDesc: 'Invoice 9',
  OriginatorConversationId: id,
  CallBackUrl: CALL_BACK,
  ...changes,
});

export const personBody = (trace: string, changes: Changes = {}) => ({
  routeId: '5a0d0001-0c1e-4e0a-9a51-70726163746f',
  kycRequestFirstName: 'Amina',
  kycRequestMiddleName: 'Wanjiru',
  kycRequestLastName: 'Otieno',
  kycRequestNationalID: '22334455',
  kycRequestReportReason: 1,
  systemTraceAuditNumber: trace,
  country: 'KE',
  ccy: 404,
  ...changes,
});

export const accountBody = (trace: string, primaryAccountNumber: string, changes: Changes = {}) => ({
  type: 1,
  systemTraceAuditNumber: trace,
  primaryAccountNumber,
  institutionCode: '63902',
  callBackUrl: CALL_BACK,
  callBackFormat: 'JSON',
  ccy: 'KES',
  countryCode: 'KE',
  ...changes,
});

/** Where a request is looked up by its identifier. */
export const lookUps = {
  airtime: (id: string) => `/practice/find-airtime?OriginatorConversationId=${id}`,
  billPayment: (id: string) => `/v1/bill-payments?OriginatorConversationId=${id}`,
  checkout: (id: string) => `/v1/checkout-order/check-status?IdType=1&Id=${id}`,
  deposit: (id: string) => `/v1/express-deposit/check-status?OriginatorConversationId=${id}`,
  person: (trace: string) => `/v1/kyc-request/check-status?stan=${trace}`,
  account: (trace: string) => `/v1/account/query?stan=${trace}`,
};
