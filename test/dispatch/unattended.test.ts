/** What goes on without a person, by a worker and by `schedule run-due`, and what neither of them decides. */
import { describe, expect, test } from 'vitest';
import { HANDED_ON, whyLeftToPerson } from '../../src/dispatch/stop-batch.ts';
import type { BatchHeader } from '../../src/domain/batch.ts';
import type { RunTerms } from '../../src/domain/fact.ts';
import { open, planOf } from '../ledger/builders.ts';

interface Run {
  readonly terms?: RunTerms;
  /** Undefined: the process died. */
  readonly stopped?: readonly [reason: string, code?: string];
}

/** Why a batch is left to a person after these runs, by run-due and by a worker. */
async function leftAfter(runs: readonly Run[], isStopped = false, planned: Pick<BatchHeader, 'rowsMost'> = {}) {
  const ledger = await open();
  const { header, blocks } = planOf();
  await ledger.takeLease();
  await ledger.planBatch({ ...header, ...planned }, blocks);
  for (const { terms, stopped } of runs) {
    await ledger.recordRun(header.id, '0.1.0', terms);
    const [reason, code] = stopped ?? [];
    if (reason !== undefined) await ledger.recordStop(reason, code === undefined ? {} : { code, todo: 'Look' });
  }
  if (isStopped) await ledger.stopBatch(header.id, { by: 'ann@office', reason: 'wrong sheet' });
  const [byRunDue, byWorker] = await Promise.all(
    [true, false].map((resumesInterrupted) => whyLeftToPerson(header.id, ledger, { resumesInterrupted })),
  );
  return { byRunDue, byWorker };
}

const onBoth = (why: unknown) => ({ byRunDue: why, byWorker: why });
const part = { rowsMost: 3 };

describe('a batch', () => {
  test.each<readonly [string, readonly Run[]]>([
    ['was only planned', []],
    ['died', [{}]],
    ['was handed on', [{ stopped: [HANDED_ON] }]],
    ['ended by itself', [{ stopped: ['finished'] }]],
    ['did not reach the service', [{ stopped: ['no way', 'unreachable'] }]],
    ['was resumed as a whole by a person after a part of it', [{ terms: part }, {}]],
  ])('that %s goes on', async (_, runs) => {
    expect(await leftAfter(runs)).toEqual(onBoth(undefined));
  });

  test.each<readonly [string, Run]>([
    ['died', {}],
    ['was interrupted', { stopped: ['interrupted'] }],
    ['did not reach the service', { stopped: ['no way', 'unreachable'] }],
  ])('of which a person let only some rows go is left to a person when the run %s', async (_, run) => {
    expect(await leftAfter([{ ...run, terms: part }])).toEqual(
      onBoth(expect.stringContaining('only part of its rows')),
    );
  });

  test('of which a person let only some rows go is left to a person when the process died before its first run', async () => {
    expect(await leftAfter([], false, part)).toEqual(onBoth(expect.stringContaining('only part of its rows')));
    expect(await leftAfter([{}], false, part)).toEqual(onBoth(undefined));
  });

  test('that a person or a brake stopped is left to a person', async () => {
    expect(await leftAfter([{}], true)).toEqual(onBoth('ann@office stopped the batch (wrong sheet)'));
    expect(await leftAfter([{ stopped: ['half of them failed', 'failures'] }])).toEqual(onBoth('half of them failed'));
  });

  test('whose run was interrupted is resumed by run-due on its day, and by no worker', async () => {
    expect(await leftAfter([{ stopped: ['interrupted'] }])).toEqual({
      byRunDue: undefined,
      byWorker: 'somebody stopped it',
    });
  });
});
