import { describe, expect, test } from 'vitest';
import { type IssueCode, issue, issueLevels } from '../../src/domain/issue.ts';
import { issueFix, issueMessage, issueTexts } from '../../src/texts/issue-message.ts';

const codes = Object.keys(issueLevels) as readonly IssueCode[];

describe('the sentences of issues', () => {
  test.each(codes)('%s has a sentence and a remedy in English', (code) => {
    const { says, fix } = issueTexts.en[code];
    for (const sentence of [says, fix]) {
      expect(sentence).toMatch(/^(?:[A-Z]|"\{value\}"|\{(?:heading|value)\} )/);
      expect(sentence).toMatch(/[.)?]$/);
      expect(sentence).not.toMatch(/ {2}|\s$/);
    }
  });
});

describe('an issue', () => {
  test('shows the beginning of a value that is too long to read', () => {
    const found = issue('PB-AMOUNT-TEXT', { row: 2, cell: 'C2', value: '1'.repeat(32_000) });
    expect(issueMessage(found)).toBe(`The amount "${'1'.repeat(100)}…" cannot be read as a number.`);
  });

  test('says the value seen as it is, whatever stands in it', () => {
    for (const value of ['$&', '{currency}', '$1', '\\', '=1+1', '{value}']) {
      expect(issueMessage(issue('PB-CURRENCY', { value }, { currency: 'KES' }))).toBe(
        `"${value}" is not the currency of this batch (KES).`,
      );
    }
  });

  test('says its row, and tells what to do', () => {
    const found = issue('PB-HIDDEN', { row: 7, cell: 'B7' });
    expect(issueMessage(found)).toBe('Row 7 is hidden, so whoever approved the sheet may not have seen it.');
    expect(issueFix(found)).toMatch(/^Show the row .* --include-hidden/);
  });
});
