import { describe, expect, test } from 'vitest';
import { batchIdOf, contentBatchKey, namedBatchKey } from '../../src/domain/ids.ts';
import { batchIdentity } from '../../src/preflight/batch-name.ts';
import { systemClock } from '../../src/system.ts';

const sheet = { name: 'payroll 2026-11.xlsx', fingerprint: 'f00d' };
const usage = expect.objectContaining({ code: 'usage', message: expect.stringContaining('name') });

interface Choice {
  readonly batchName?: string;
  readonly dryRun?: boolean;
  readonly sandbox?: boolean;
  readonly answer?: string;
}

/** The batch that the sheet is, and all that was told and proposed on the way. */
async function identified({ batchName, dryRun = false, sandbox = false, answer }: Choice) {
  const said: unknown[] = [];
  const batch = await batchIdentity({ ...(batchName !== undefined && { batchName }), dryRun }, sheet, {
    settings: { sandbox, timezone: 'Africa/Nairobi' },
    clock: systemClock,
    emit: (event) => said.push(event),
    ...(answer !== undefined && {
      nameBatch: async (proposal) => {
        said.push(proposal);
        return answer;
      },
    }),
  });
  return { ...batch, said };
}

describe('a live batch', () => {
  test('is called by its name, compared without case and outer blanks', async () => {
    const { key, id, said } = await identified({ batchName: ' Salaries-2026-11 ' });
    expect([key, id, said]).toEqual([namedBatchKey('salaries-2026-11'), 'Salaries-2026-11', []]);
  });

  test('is never known by its content: without a name it is refused, with one to give', async () => {
    await expect(identified({})).rejects.toEqual(usage);
    await expect(identified({})).rejects.toHaveProperty('remedy', expect.stringMatching(/: payroll-2026-11$/));
  });

  test('is asked for its name, with a proposal', async () => {
    const { key, said } = await identified({ answer: 'November' });
    expect([key, said]).toEqual([namedBatchKey('november'), ['payroll-2026-11']]);
  });

  test.each(['', '../x', 'a b', 'x'.repeat(65)])('is not called %j, whoever says so', async (name) => {
    await expect(identified({ batchName: name })).rejects.toEqual(usage);
    await expect(identified({ answer: name })).rejects.toEqual(usage);
    await expect(identified({ batchName: name, sandbox: true })).rejects.toEqual(usage);
  });

  test('that nothing is sent of goes by the proposal, asks nobody and says so', async () => {
    const { id, said } = await identified({ dryRun: true, answer: 'another' });
    const message = expect.stringMatching(/"payroll-2026-11".*--batch payroll-2026-11$/);
    expect([id, said]).toEqual(['payroll-2026-11', [{ type: 'notice', level: 'info', message }]]);
  });
});

test('a rehearsal is known by its content when it has no name', async () => {
  const key = contentBatchKey(sheet.fingerprint);
  for (const dryRun of [true, false]) {
    expect(await identified({ sandbox: true, dryRun, answer: 'x' })).toEqual({ key, id: batchIdOf(key), said: [] });
  }
  expect(await identified({ sandbox: true, batchName: 'Second' })).toMatchObject({ id: 'Second' });
});
