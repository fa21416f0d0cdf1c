import { describe, expect, test } from 'vitest';
import type { MoneyStatement } from '../../../src/domain/event.ts';
import type { Fault } from '../../../src/domain/fault.ts';
import { countsOf, type PayeeCounts } from '../../../src/domain/payee.ts';
import { confirmedWith, noMatchFault, requirePayees, withPayees } from '../../../src/preflight/payees/payee-check.ts';
import type { VerifyDeps } from '../../../src/preflight/payees/verify-payees.ts';
import { kes } from '../../ledger/builders.ts';
import { check, stagingForTest } from '../../support/sheets/checked-sheet.ts';

const counts = (noMatch: number): PayeeCounts => ({ match: 7, closeMatch: 2, noMatch, notPossible: 4 });
const said = (fault: Fault | undefined) => fault && [fault.code, fault.message, fault.remedy];

describe('payees without a match', () => {
  test('are refused unless exactly as many are accepted', () => {
    expect(noMatchFault('preflight-refused', counts(0))).toBeUndefined();
    expect(noMatchFault('preflight-refused', counts(3), 3)).toBeUndefined();
    for (const accepted of [undefined, 1, 2, 4]) {
      expect(noMatchFault('preflight-refused', counts(3), accepted), String(accepted)).toBeDefined();
    }
  });

  test('are told with their count and what there is to do', () => {
    const remedy = (count: number): string =>
      `Find out whose they are and correct the sheet (paybatch verify-payees marks them in a copy), or accept exactly these with --accept-no-match ${count}. Nothing was sent.`;
    expect(said(noMatchFault('preflight-refused', counts(1)))).toEqual([
      'preflight-refused',
      "1 row pays someone else's account.",
      remedy(1),
    ]);
    expect(said(noMatchFault('sheet-refused', counts(3), 2))).toEqual([
      'sheet-refused',
      "3 rows pay someone else's account, but --accept-no-match says 2.",
      remedy(3),
    ]);
  });

  test('that were accepted where there are none are refused as well', () => {
    expect(said(noMatchFault('preflight-refused', counts(0), 2))).toEqual([
      'preflight-refused',
      "No row pays someone else's account, but --accept-no-match says 2.",
      'Check that this is the sheet you meant, and leave out --accept-no-match. Nothing was sent.',
    ]);
  });

  test('stop a run whose payees were verified, and no other', () => {
    const statement = (payees?: PayeeCounts) => ({ ...(payees && { payees }) }) as MoneyStatement;
    expect(() => requirePayees(statement(), undefined)).not.toThrow();
    expect(() => requirePayees(statement(counts(3)), { newOnly: false, acceptNoMatch: 3 })).not.toThrow();
    const refused = expect.objectContaining({ code: 'preflight-refused', exit: 5 });
    expect(() => requirePayees(statement(counts(3)), { newOnly: false })).toThrow(refused);
    expect(() => requirePayees(statement(counts(3)), undefined)).toThrow(refused);
  });

  test('are counted in the statement of a run that asked for it, and in no other', async () => {
    const priced = { statement: { count: 0 } as MoneyStatement, rest: 1 };
    const staging = stagingForTest();
    const { checked } = await check([['Name', 'Phone', 'Amount']]);
    // There is no row, so nobody is asked.
    const deps = { emit: () => undefined, signal: new AbortController().signal } as unknown as VerifyDeps;
    const settings = { sending: { concurrency: 1 } } as VerifyDeps['settings'];
    const after = await withPayees(priced, { newOnly: false }, { checked, staging }, { ...deps, settings });
    const payees = { match: 0, closeMatch: 0, noMatch: 0, notPossible: 0 };
    expect(after).toEqual({ statement: { count: 0, payees }, rest: 1 });
    expect(await withPayees(priced, undefined, { checked, staging }, deps)).toBe(priced);
  });

  test('stand in the record of how a batch was confirmed, with all other counts', () => {
    const payees = { ...counts(3), paidBefore: 5 };
    expect(confirmedWith('typed', { payees } as MoneyStatement)).toBe(
      'typed; payees: 7 match, 2 close match, 3 NO MATCH, 4 not possible, 5 paid before',
    );
    expect(confirmedWith('typed', {} as MoneyStatement)).toBe('typed');
  });
});

describe('the counts of verified payees', () => {
  const sum = (count: number) => ({ count, amount: kes(100n) });
  const verdicts = [
    { verdict: 'match', ...sum(2) },
    { verdict: 'no-match', ...sum(1) },
  ] as const;

  test('are those of each verdict, those that nobody has included', () => {
    expect(countsOf({ asked: 5, verdicts })).toEqual({ match: 2, closeMatch: 0, noMatch: 1, notPossible: 0 });
    expect(countsOf({ asked: 0, verdicts: [] })).toEqual({ match: 0, closeMatch: 0, noMatch: 0, notPossible: 0 });
  });

  test('have those who were paid before beside them where only new ones were asked about', () => {
    expect(countsOf({ asked: 5, verdicts, paidBefore: sum(1) })).toMatchObject({ noMatch: 1, paidBefore: 1 });
  });
});
