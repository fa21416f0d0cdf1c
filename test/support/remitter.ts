/** Who pays, as far as every bank wants to know it. */
export const remitter = {
  name: 'Acme Ltd',
  phoneNumber: '+254700000000',
  country: 'KE',
  sourceOfFunds: 'Business',
  principalActivity: 'Trading',
};
