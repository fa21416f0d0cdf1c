/** Changed phones and accounts as a condition of a run. */
import { expect, test } from 'vitest';
import type { MoneyStatement } from '../../../src/domain/event.ts';
import { requireChangedPayees } from '../../../src/preflight/payees/changed-payees.ts';
import { faultOf } from '../../support/priced-sheet.ts';

const rows = Array.from({ length: 7 }, (_, at) => ({ row: at + 2, name: `Person ${at}` }));
const statement = (count: number): MoneyStatement =>
  (count === 0 ? {} : { changedPayees: { count, rows: rows.slice(0, count) } }) as unknown as MoneyStatement;

interface Situation {
  readonly sandbox?: boolean;
  readonly dryRun?: boolean;
  readonly accepts?: number;
  readonly types?: number;
}

const requiring = (count: number, { sandbox = false, dryRun = false, accepts, types }: Situation) =>
  requireChangedPayees(
    statement(count),
    { dryRun, ...(accepts !== undefined && { acceptChangedPayees: accepts }) },
    { settings: { sandbox }, ...(types !== undefined && { askChangedPayees: async () => types }) },
  );

test.each<[string, number, Situation]>([
  ['nothing changed', 0, {}],
  ['their number was given', 3, { accepts: 3 }],
  ['their number was typed', 3, { types: 3 }],
  ['a dry run tells of them', 3, { dryRun: true }],
  ['it is a rehearsal', 3, { sandbox: true }],
  ['it is a rehearsal with another number', 3, { sandbox: true, accepts: 4 }],
])('a run goes on where %s', async (_, count, situation) => {
  await expect(requiring(count, situation)).resolves.toBeUndefined();
});

test.each<[string, number, Situation, string]>([
  [
    'nobody can be asked',
    7,
    {},
    'row 2 (Person 0), row 3 (Person 1), row 4 (Person 2), row 5 (Person 3), row 6 (Person 4) and 2 more',
  ],
  [
    'another number was given',
    3,
    { accepts: 2, types: 3 },
    '3 rows are paid to another phone or account than last time, not 2:',
  ],
  ['another number was typed', 1, { types: 2 }, '1 row is paid to another phone or account than last time, not 2:'],
  ['another number was given to a dry run', 3, { accepts: 4, dryRun: true }, 'not 4'],
  ['a number was given and nothing changed', 0, { accepts: 1 }, 'No row is paid to another phone'],
])('a run is refused where %s', async (_, count, situation, message) => {
  const fault = await faultOf(requiring(count, situation));
  expect(fault).toMatchObject({ code: 'payees-changed', exit: 8 });
  expect(fault.message).toContain(message);
  expect(fault.message).toContain('Nothing was sent.');
  if (count > 0) expect(fault.remedy).toContain(`--accept-changed-payees ${count}`);
});
