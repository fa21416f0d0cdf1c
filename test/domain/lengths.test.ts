import { describe, expect, test } from 'vitest';
import { LONGEST_ORGANISATION, longestOfRemitter, longestOfRow } from '../../src/domain/lengths.ts';

describe('the longest texts of a payment', () => {
  /** Copied by hand from the published pages, by the names that they use. */
  const published = {
    recipientName: [longestOfRow.name, 64],
    recipientAddress: [longestOfRow.address, 64],
    recipientEmailAddress: [longestOfRow.email, 64],
    recipientPhoneNumber: [longestOfRow.phone, 13],
    recipientPrimaryAccountNumber: [longestOfRow.account, 50],
    paymentNotes: [longestOfRow.note, 255],
    remitterName: [longestOfRemitter.name, 128],
    remitterAddress: [longestOfRemitter.address, 128],
    remitterPhoneNumber: [longestOfRemitter.phoneNumber, 13],
    remitterIdType: [longestOfRemitter.idType, 13],
    remitterIdNumber: [longestOfRemitter.idNumber, 13],
    remitterCountry: [longestOfRemitter.country, 50],
    remitterNationality: [longestOfRemitter.nationality, 64],
    remitterIdIssuePlace: [longestOfRemitter.idIssuePlace, 64],
    remitterFinancialInstitution: [longestOfRemitter.financialInstitution, 64],
    remitterSourceOfFunds: [longestOfRemitter.sourceOfFunds, 64],
    remitterPrincipalActivity: [longestOfRemitter.principalActivity, 64],
  };

  test.each(Object.entries(published))('are those of the pages: %s', (_, [own, page]) => expect(own).toBe(page));

  test('leave room for what paybatch makes itself: identifiers of 36 characters, and its notes', () => {
    const IDENTIFIER = 100;
    const BATCH_NAME = 64;
    expect(Math.max(longestOfRow.reference, crypto.randomUUID().length)).toBeLessThanOrEqual(IDENTIFIER);
    expect(LONGEST_ORGANISATION + 1 + BATCH_NAME).toBeLessThanOrEqual(longestOfRow.note);
  });
});
