/** What each operation requires, and of which type, written by hand from the specification: not from the contract. */

/** Values that are none of a type. */
export const wrongValues = {
  text: [7, true, {}, []],
  /** Declared as text in one place and as an integer in another. */
  'text-or-integer': [true, 1.5, {}, []],
  /** A plain decimal as text; a number is left open. */
  'decimal-text': [true, {}, [], 'a lot', '-5', '0', '1e3', '1,000.00'],
  integer: ['4', 1.5, true, {}],
  number: ['4', true, {}],
  /** An amount of money. */
  amount: ['4', true, {}, 0, -1],
  /** An amount in whole units. */
  'whole-amount': ['4', true, {}, 0, -1, 1.5],
  boolean: ['yes', 1, {}],
  object: [7, 'x', [], true],
  list: [7, 'x', {}, [], [7]],
} as const satisfies Record<string, readonly unknown[]>;

export type Fields = Readonly<Record<string, readonly [keyof typeof wrongValues, ...('required' | 'unique')[]]>>;

/** Fields by operation; every field that is not marked may be missing. The message named first is a good one. */
export const bodies: Readonly<Record<string, readonly [good: string, fields: Fields]>> = {
  // Spec: "Payment order (request)"; which fields are required is as observed.
  'submit-order': [
    'new-order-wallet',
    {
      originatorConversationId: ['text', 'required', 'unique'],
      paymentNotes: ['text', 'required'],
      paymentOrderLines: ['list', 'required'],
      'paymentOrderLines.0.remitter': ['object'],
      'paymentOrderLines.0.remitter.name': ['text'],
      'paymentOrderLines.0.remitter.dateOfBirth': ['text'],
      'paymentOrderLines.0.remitter.ccy': ['integer'],
      'paymentOrderLines.0.recipient': ['object', 'required'],
      'paymentOrderLines.0.recipient.name': ['text', 'required'],
      'paymentOrderLines.0.recipient.address': ['text'],
      'paymentOrderLines.0.recipient.emailAddress': ['text'],
      'paymentOrderLines.0.recipient.phoneNumber': ['text'],
      'paymentOrderLines.0.recipient.idType': ['text'],
      'paymentOrderLines.0.recipient.idNumber': ['text'],
      'paymentOrderLines.0.recipient.financialInstitution': ['text'],
      'paymentOrderLines.0.recipient.primaryAccountNumber': ['text', 'required'],
      'paymentOrderLines.0.recipient.institutionIdentifier': ['text'],
      'paymentOrderLines.0.recipient.mccmnc': ['text-or-integer', 'required'],
      'paymentOrderLines.0.recipient.ccy': ['integer', 'required'],
      'paymentOrderLines.0.recipient.country': ['text'],
      'paymentOrderLines.0.recipient.purpose': ['text', 'required'],
      'paymentOrderLines.0.transaction': ['object', 'required'],
      'paymentOrderLines.0.transaction.routeId': ['text', 'required'],
      'paymentOrderLines.0.transaction.channelType': ['integer', 'required'],
      'paymentOrderLines.0.transaction.amount': ['amount', 'required'],
      'paymentOrderLines.0.transaction.reference': ['text', 'required'],
      'paymentOrderLines.0.transaction.systemTraceAuditNumber': ['text', 'required', 'unique'],
      'paymentOrderLines.0.transaction.accountNo': ['text'],
      'paymentOrderLines.0.metaDataList': ['list'],
      'paymentOrderLines.0.metaDataList.0.key': ['text', 'required'],
      'paymentOrderLines.0.metaDataList.0.value': ['text', 'required'],
    },
  ],
  // Spec: "Checkout order (request)". Notes, due date and addresses may be missing for all that it says.
  'create-checkout': [
    'checkout',
    {
      originatorConversationId: ['text', 'required', 'unique'],
      checkoutRouteId: ['text', 'required'],
      checkoutRouteChannelType: ['integer', 'required'],
      checkoutNotes: ['text'],
      checkoutCcy: ['integer', 'required'],
      checkoutDueDate: ['text'],
      checkoutReturnUrl: ['text'],
      checkoutCancelUrl: ['text'],
      checkoutCallbackUrl: ['text'],
      checkoutReference: ['text', 'required', 'unique'],
      checkoutAccountNo: ['text', 'required'],
      checkoutOrderLines: ['list', 'required'],
      'checkoutOrderLines.0.sku': ['text', 'required'],
      'checkoutOrderLines.0.name': ['text', 'required'],
      'checkoutOrderLines.1.price': ['amount', 'required'],
    },
  ],
  // Spec: "Airtime purchase"; its second table says that all are mandatory.
  'buy-airtime': [
    'airtime',
    {
      originatorConversationId: ['text', 'required', 'unique'],
      callbackURL: ['text', 'required'],
      recipients: ['list', 'required'],
      'recipients.0.currencyCode': ['text', 'required'],
      'recipients.0.phoneNumber': ['text', 'required'],
      'recipients.0.amount': ['amount', 'required'],
      'recipients.1.name': ['text', 'required'],
    },
  ],
  // Spec: "Bill number (save)".
  'save-bill-number': [
    'bill-number',
    {
      serviceId: ['text-or-integer', 'required'],
      accountNumber: ['text', 'required'],
      phoneNumber: ['text'],
      transactionDesc: ['text'],
      RemindMeDueDate: ['boolean'],
    },
  ],
  // Spec: "Bill payment": everything is mandatory for type 2 but what stands in the sample alone.
  'pay-bill': [
    'bill-payment',
    {
      routeId: ['text'],
      serviceId: ['text-or-integer', 'required'],
      accountNumber: ['text', 'required'],
      transactionType: ['integer', 'required'],
      msisdn: ['text', 'required'],
      transactionDesc: ['text', 'required'],
      originatorConversationId: ['text', 'required', 'unique'],
      amount: ['whole-amount', 'required'],
      customerNames: ['text', 'required'],
      countryCode: ['text', 'required'],
      currencyCode: ['text', 'required'],
      saveBillerNumber: ['boolean', 'required'],
      callBackUrl: ['text', 'required'],
      narration: ['text'],
    },
  ],
  // Published by the provider, as the payment's other transaction types.
  'query-bill': [
    'query-bill',
    {
      routeId: ['text'],
      serviceId: ['text-or-integer', 'required'],
      accountNumber: ['text', 'required'],
      transactionType: ['integer', 'required'],
    },
  ],
  'validate-bill': [
    'validate-bill',
    {
      routeId: ['text'],
      serviceId: ['text-or-integer', 'required'],
      accountNumber: ['text', 'required'],
      transactionType: ['integer', 'required'],
    },
  ],
  // Spec: "KYC request (identity validation)".
  'validate-kyc': [
    'kyc',
    {
      routeId: ['text', 'required'],
      kycRequestFirstName: ['text', 'required'],
      kycRequestMiddleName: ['text', 'required'],
      kycRequestLastName: ['text', 'required'],
      kycRequestOtherNames: ['text'],
      kycRequestNationalID: ['text', 'required'],
      CustomerAccountSerialNo: ['text'],
      kycRequestPassportNo: ['text'],
      kycRequestServiceID: ['text'],
      kycRequestAlienID: ['text'],
      kycRequestTaxID: ['text'],
      kycRequestDateOfBirth: ['text'],
      kycRequestPostalBoxNo: ['text'],
      kycRequestPostalTown: ['text'],
      kycRequestTelephoneMobile: ['text'],
      kycRequestPhysicalAddress: ['text'],
      kycRequestPhysicalTown: ['text'],
      kycRequestPhysicalCountry: ['text'],
      kycRequestReportReason: ['text-or-integer', 'required'],
      kycRequestCallBackURL: ['text'],
      deviceId: ['text'],
      systemTraceAuditNumber: ['text', 'required', 'unique'],
      country: ['text', 'required'],
      ccy: ['text-or-integer', 'required'],
    },
  ],
  // Published by the provider; in its errors the account has another name.
  'validate-account': [
    'account-validation',
    {
      type: ['integer', 'required'],
      systemTraceAuditNumber: ['text', 'required', 'unique'],
      primaryAccountNumber: ['text', 'required'],
      institutionCode: ['text', 'required'],
      callBackUrl: ['text', 'required'],
      callBackFormat: ['text', 'required'],
      ccy: ['text'],
      countryCode: ['text'],
    },
  ],
  // Observed.
  'create-payment-link': [
    'create-payment-link',
    {
      shortCode: ['text', 'required'],
      firstName: ['text'],
      lastName: ['text'],
      emailAddress: ['text'],
      phoneNumber: ['text'],
      accountReference: ['text'],
      description: ['text'],
      isAmountSpecified: ['boolean'],
      amount: ['amount'],
      currency: ['text'],
      redirectionSite: ['text'],
    },
  ],
  // Spec: "Payment link (update request)".
  'update-payment-link': [
    'update-payment-link',
    {
      id: ['text', 'required'],
      shortCode: ['text'],
      firstName: ['text'],
      lastName: ['text'],
      emailAddress: ['text'],
      phoneNumber: ['text'],
      description: ['text'],
      isAmountSpecified: ['boolean'],
      amount: ['amount'],
      redirectionSite: ['text'],
    },
  ],
  // Observed.
  'request-deposit': [
    'deposit',
    {
      ShortCode: ['text', 'required'],
      Amount: ['decimal-text', 'required'],
      PhoneNumber: ['text', 'required'],
      AccountNo: ['text'],
      TransactionDesc: ['text', 'required'],
      OriginatorConversationId: ['text', 'required', 'unique'],
      CallBackUrl: ['text', 'required'],
    },
  ],
};

/** What the provider calls fields in its errors, where that is another name than in the request. */
export const namesInErrors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'validate-account': { primaryAccountNumber: 'AccountNumber' },
};

/** Required parameters of a query, by operation. */
export const queries: Readonly<Record<string, readonly [good: string, required: readonly string[]]>> = {
  'find-order': ['check-status-pending', ['IdType', 'Id']],
  'reject-order': ['reject-pending', ['OriginatorConversationId']],
  'query-checkout': ['query-checkout', ['IdType', 'Id']],
  'find-bill-number': ['find-bill-number', ['serviceId', 'accountNumber']],
  'find-bill-payment': ['find-bill-payment', ['OriginatorConversationId']],
  'fetch-charges': ['charges', ['transactionTypeId']],
  'get-wallet-balance': ['wallet-balance', ['ccy']],
  'find-kyc': ['find-kyc', ['stan']],
  'find-account-validation': ['find-account-validation', ['stan']],
  'find-payment-link': ['find-payment-link', ['Id']],
  'find-deposit': ['find-deposit', ['OriginatorConversationId']],
};
