/** What a person does beside the runs: a process of its own, to whatever end it comes. */
import { Fault } from '../../../src/domain/fault.ts';
import type { Chance } from '../../support/seeded-random.ts';
import type { Fleet } from './fleet.ts';
import type { Case } from './judge.ts';
import type { CrashPlan, Host } from './machine.ts';
import type { Network } from './network.ts';
import type { OperatorRun } from './real-run.ts';

export interface OperatorDeps {
  readonly fleet: Fleet;
  readonly network: Network;
  readonly chance: Chance;
}

export interface Errand<T> {
  readonly name: string;
  readonly host: Host;
  readonly crash?: CrashPlan | undefined;
  readonly act: (run: OperatorRun) => Promise<T>;
  /** Told when the process has the lease. */
  readonly leased?: () => void;
}

/** What became of it; `value` is missing when something forbade it, or it died. One that died may have been recorded. */
export interface ErrandEnd<T> {
  readonly run: OperatorRun;
  readonly value?: T;
  readonly isForbidden: boolean;
}

type How<T> = { readonly value: T } | { readonly says: string; readonly isForbidden: boolean };

export async function runErrand<T>(errand: Errand<T>, theCase: Case, deps: OperatorDeps): Promise<ErrandEnd<T>> {
  const { world, disk, batch, traffic, witness } = theCase;
  const { fleet, network, chance } = deps;
  const process = fleet.start(errand.host, errand.name, errand.crash);
  const run: OperatorRun = {
    process,
    disk,
    listener: traffic.listener(process),
    transport: network.attach(process),
    chance,
    world,
    batch,
    signal: new AbortController().signal,
    emit: () => undefined,
    leased: () => {
      traffic.leased(process);
      errand.leased?.();
    },
  };
  const done = errand.act(run).then(
    (value): How<T> => ({ value }),
    (error: unknown): How<T> => {
      // What a disk that fails has recorded is not known.
      if (error instanceof Fault)
        return { says: `is refused: ${error.message}`, isForbidden: error.code !== 'ledger-unsafe' };
      const said = error instanceof Error ? error.message : String(error);
      witness.violated('BUG', `${errand.name}: ${said}`);
      return { says: said, isForbidden: true };
    },
  );
  const how = await Promise.race([done, process.died.then((): How<T> => ({ says: 'is gone', isForbidden: false }))]);
  fleet.end(process);
  witness.log(process.name, 'says' in how ? how.says : 'is done');
  return 'value' in how ? { run, value: how.value, isForbidden: false } : { run, isForbidden: how.isForbidden };
}
