/** The machines of a simulation and the processes that live on them. */
import type { Chance } from '../../support/seeded-random.ts';
import { type CrashPlan, Host, SimulatedProcess } from './machine.ts';
import type { Timeline } from './timeline.ts';
import type { Witness } from './witness.ts';
import type { World } from './world.ts';

export interface FleetDeps {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly witness: Witness;
}

export class Fleet {
  /** Where the batch is run. */
  readonly desk = new Host('desk');
  /** Where somebody else may run it: another machine, or the same one. */
  readonly other: Host;
  readonly #deps: FleetDeps;
  readonly #alive = new Map<number, SimulatedProcess>();
  readonly #skewed: boolean;
  #pids = 0;

  constructor({ otherHost, skewMs }: World['machine'], deps: FleetDeps) {
    this.#deps = deps;
    this.#skewed = skewMs !== 0;
    this.other = otherHost ? new Host('other', skewMs) : this.desk;
  }

  get isEmpty(): boolean {
    return this.#alive.size === 0;
  }

  start(host: Host, name: string, crash?: CrashPlan): SimulatedProcess {
    this.#pids += 1;
    const process = new SimulatedProcess(name, this.#pids, host, { ...this.#deps, crash });
    this.#alive.set(this.#pids, process);
    if (host === this.other && this.#skewed) this.#deps.witness.saw('clock-skew');
    this.#deps.witness.log(name, `starts on ${host.name}`);
    return process;
  }

  /** Lets a process be gone, whether it ended or died. */
  end(process: SimulatedProcess): void {
    process.exit();
    this.#alive.delete(process.holder.pid);
  }

  on(host: Host): readonly SimulatedProcess[] {
    return [...this.#alive.values()].filter((process) => process.host === host);
  }

  any(): SimulatedProcess | undefined {
    const alive = [...this.#alive.values()];
    return alive.length > 0 ? this.#deps.chance.pick(alive) : undefined;
  }
}
