/**
 * Workers on one PostgreSQL ledger while everything around them dies: a worker is killed every few seconds and started again at once, as
 * systemd would, and the server of the ledger crashes and comes back. That begins when each worker has begun: before, it reads what came
 * into the ledger since its machine last used it. Who was paid is judged by the books of the service.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Judgement } from '../../../src/cli/drill/judge.ts';
import { sha256 } from '../../../src/domain/ids.ts';
import { drawOf } from '../../../src/sandbox/draw.ts';
import { type Cluster, newAddress, openCluster } from '../postgres.ts';
import { quickWaits } from './account.ts';
import { BatchProgress } from './batch-progress.ts';
import { FireLedgers } from './fire-ledgers.ts';
import { csvOf } from './payroll-sheet.ts';
import { openSite, type Site } from './process-site.ts';

export interface Fire {
  readonly workers: number;
  /** Batches that one worker has at once. */
  readonly batchesEach: number;
  readonly batches: number;
  /** Of all batches together. */
  readonly orders: number;
  /** Milliseconds from one kill of a worker, and from one crash of the server, to the next; 0: none. */
  readonly killMs: number;
  readonly crashMs: number;
  /** Before anything is killed, all workers are at work for so long in peace: the rate that the fire is compared with. */
  readonly peaceMs: number;
  /** Once, early in the fire, a worker is stopped (SIGSTOP) for so long, and keeps its batches meanwhile; 0: none. */
  readonly pauseMs: number;
  /** Whether all workers are on one machine: there a lease is free with its process; elsewhere it has to fall silent. */
  readonly isOneMachine: boolean;
  readonly scenario: string;
  /** How long an answer of the service is waited for, in milliseconds, and the requests that all workers together have in flight. */
  readonly sending: { readonly requestTimeoutMs: number; readonly concurrency: number };
  readonly seed: string;
  /** For so long they are killed; after it nothing is, whatever is left. */
  readonly longestMs: number;
  /** So long workers may go on in peace, until all is final. */
  readonly calmMs: number;
  readonly say: (line: string) => void;
}

export interface FireRecord {
  readonly kills: number;
  readonly crashes: number;
  /** Workers that ended by themselves, by exit code. */
  readonly exits: Readonly<Record<string, number>>;
  /** Batches that were final while everything died, and at the end. */
  readonly finalUnderFire: number;
  readonly final: number;
  readonly seconds: number;
  /** When all workers were at work, and when killing began and ended, in seconds from the start of the workers, and how many orders were open then. */
  readonly peace: Turn;
  readonly fire: Turn;
  readonly calm: Turn;
  /** When what the fire left was at work again, and when the first batch was final, or nothing was left: the calm rate is counted between the two. */
  readonly settled: Turn;
  readonly firstFinal: Turn;
  /** The worker that was stopped and went on, and the batches that it had begun until then. */
  readonly paused?: { readonly worker: string; readonly batches: readonly string[] };
  /** The longest time for which each batch that was begun and not final did not move, in seconds. */
  readonly longestStill: Readonly<Record<string, number>>;
  readonly judgement: Judgement;
  /** What no worker may do, in plain words; with what the ledger says of itself. */
  readonly violations: readonly string[];
  /** What workers told of batches that they left to a person. */
  readonly left: readonly string[];
  /** How often a worker came to its first claim or look-up in a batch, by worker and batch. */
  readonly begun: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Seconds from the start of a worker until it is ready, and from there to its first work on a batch: the middle of all that came so far. */
  readonly toReady: number;
  readonly toBegun: number;
  /** Orders that the service was asked to take, and look-ups. */
  readonly requests: Readonly<Record<string, number>>;
}

interface Turn {
  readonly atSeconds: number;
  readonly open: number;
}

/** A worker that has not begun after so long is killed all the same. */
const PEACE_MS = 180_000;
/** From the first kill until a worker is stopped. */
const PAUSE_AFTER_MS = 20_000;
/** From the end of the fire until all batches are at work again. */
const SETTLE_MS = 20_000;
/** How often the ledger is asked how far each batch is, and how often somebody is told, in milliseconds. */
const LOOK_MS = 500;
const TELL_MS = 10_000;
const CONNECTIONS = '200';
const HASTY = path.join(import.meta.dirname, '..', 'programs', 'hasty-paybatch.ts');
/** A worker that is told to stop lands what is on its way; it is not waited for any longer. */
const STOP_MS = 30_000;
const AMOUNT = 10;

/** Fires until every batch is final, and judges. */
export async function underFire(fire: Fire): Promise<FireRecord> {
  const cluster = await openCluster({ max_connections: CONNECTIONS, shared_buffers: '128MB', autovacuum: 'on' });
  const address = newAddress(cluster);
  const site = await openSite({
    rows: 1,
    scenario: fire.scenario,
    sending: fire.sending,
    inDoubt: { quietMs: Math.max(quickWaits.inDoubt.quietMs, 2 * fire.sending.requestTimeoutMs) },
    main: HASTY,
    deadlineMs: 60_000,
    env: { PAYBATCH_LEDGER: address },
  });
  try {
    return await new Field(fire, site, cluster, address).record();
  } finally {
    await site.close();
    await cluster.stop();
  }
}

/** When a worker was started, and when it was last ready; undefined: that was counted. */
interface Since {
  started: number | undefined;
  ready: number | undefined;
}

const middle = (seconds: readonly number[]): number =>
  seconds.toSorted((one, other) => one - other)[Math.floor(seconds.length / 2)] ?? Number.NaN;

class Field {
  readonly #fire: Fire;
  readonly #site: Site;
  readonly #cluster: Cluster;
  readonly #workers: { child: ChildProcess; readonly name: string }[] = [];
  readonly #progress: BatchProgress;
  readonly #ledgers: FireLedgers;
  readonly #exits = new Map<string, number>();
  readonly #left = new Set<string>();
  readonly #violations: string[] = [];
  #kills = 0;
  #crashes = 0;
  readonly #toReady: number[] = [];
  readonly #toBegun: number[] = [];
  #finalUnderFire = 0;
  /** How often each worker began each batch. */
  readonly #beginnings = new Map<string, Map<string, number>>();
  #peaceAt: Turn | undefined;
  #fireAt: Turn | undefined;
  #paused: FireRecord['paused'];
  #calmAt: Turn | undefined;
  #settledAt: Turn | undefined;
  #firstFinalAt: Turn | undefined;
  #isOver = false;
  /** The name of the worker that stands still now. */
  #stopped: string | undefined;

  constructor(fire: Fire, site: Site, cluster: Cluster, address: string) {
    [this.#fire, this.#site, this.#cluster] = [fire, site, cluster];
    this.#progress = new BatchProgress(address);
    this.#ledgers = new FireLedgers(site, address);
  }

  async record(): Promise<FireRecord> {
    const { batches, workers, say } = this.#fire;
    // They have used the ledger before. One that has not looks up everything first, and would begin with that again after each kill.
    for (const name of [undefined, ...Array.from({ length: workers }, (_, at) => workerName(at))])
      await this.#ledgers.vouch(name);
    for (let at = 0; at < batches; at += 1) await this.#plan(at);
    say(`${batches} batches are planned`);
    const began = performance.now();
    for (let at = 0; at < workers; at += 1) this.#start(workerName(at));
    await Promise.all([this.#watch(began), this.#killing(), this.#crashing(), this.#pausing()]);
    const seconds = (performance.now() - began) / 1000;
    await this.#stop();
    const { judgement, violations } = await this.#ledgers.judged(this.#progress.batches);
    return {
      kills: this.#kills,
      crashes: this.#crashes,
      exits: Object.fromEntries(this.#exits),
      finalUnderFire: this.#finalUnderFire,
      final: this.#progress.finals,
      seconds,
      peace: this.#peaceAt ?? { atSeconds: seconds, open: 0 },
      fire: this.#fireAt ?? { atSeconds: seconds, open: 0 },
      ...(this.#paused && { paused: this.#paused }),
      calm: this.#calmAt ?? { atSeconds: seconds, open: 0 },
      settled: this.#settledAt ?? { atSeconds: seconds, open: 0 },
      firstFinal: this.#firstFinalAt ?? { atSeconds: seconds, open: 0 },
      longestStill: this.#progress.longestStill,
      judgement,
      violations: [...this.#violations, ...judgement.violations, ...violations],
      left: [...this.#left],
      begun: Object.fromEntries([...this.#beginnings].map(([name, its]) => [name, Object.fromEntries(its)])),
      toReady: middle(this.#toReady),
      toBegun: middle(this.#toBegun),
      requests: (await this.#site.books()).requests,
    };
  }

  async #plan(at: number): Promise<void> {
    const { batches, orders } = this.#fire;
    const [from, to] = [Math.floor((at * orders) / batches), Math.floor(((at + 1) * orders) / batches)];
    const lines = Array.from({ length: to - from }, (_, index) => ({
      reference: `R-${from + index}`,
      name: `Person ${from + index}`,
      // The last two digits are never those of a magic ending.
      phone: `+25471${String(from + index).padStart(5, '0')}55`,
      amount: `${AMOUNT}.00`,
    }));
    const name = `batch-${at + 1}`;
    await writeFile(path.join(this.#site.folder, `${name}.csv`), csvOf(lines));
    const totals = ['--expect-count', String(lines.length), '--expect-total', String(lines.length * AMOUNT)];
    const planned = await this.#site.end(['run', `${name}.csv`, '--batch', name, '--detach', '--no-copy', ...totals]);
    if (planned.exit !== 7) throw new Error(`${name} was not planned: ${planned.exit} ${planned.stderr}`);
  }

  /** Starts a worker, and starts it again whenever it ends. */
  #start(name: string): void {
    const home = path.join(this.#site.folder, name);
    const own = this.#fire.isOneMachine ? [] : ['env', `PAYBATCH_HOME=${home}`, `PAYBATCH_MACHINE=${name}`];
    const child = this.#site.start(['worker', '--json', '--batches', String(this.#fire.batchesEach)], own);
    const worker = { child, name };
    this.#workers.push(worker);
    let [said, rest] = ['', ''];
    const since: Since = { started: performance.now(), ready: undefined };
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-2000);
    });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#hear(name, JSON.parse(line) as Readonly<Record<string, unknown>>, since);
    });
    child.once('close', (code: number | null) => {
      this.#workers.splice(this.#workers.indexOf(worker), 1);
      if (code !== null) this.#exits.set(String(code), (this.#exits.get(String(code)) ?? 0) + 1);
      if (code === 1) this.#violations.push(`${name} ended with a bug: ${said}`);
      if (!this.#isOver) this.#start(name);
    });
  }

  #hear(name: string, { type, point, batch, message }: Readonly<Record<string, unknown>>, since: Since): void {
    if (type !== 'worker') return;
    const now = performance.now();
    if (point === 'ready') {
      if (since.started !== undefined) this.#toReady.push((now - since.started) / 1000);
      [since.started, since.ready] = [undefined, now];
    }
    if (point === 'begun') {
      const its = this.#beginnings.get(name) ?? new Map<string, number>();
      this.#beginnings.set(name, its.set(String(batch), (its.get(String(batch)) ?? 0) + 1));
      if (since.ready !== undefined) this.#toBegun.push((now - since.ready) / 1000);
      since.ready = undefined;
    }
    if (point === 'left' || point === 'alarm') this.#left.add(`${point} ${String(batch)}: ${String(message)}`);
  }

  async #killing(): Promise<void> {
    const { killMs, seed } = this.#fire;
    const digest = sha256(`${seed}|kills`);
    for (let shot = 0; killMs > 0 && (await this.#rests(killMs)); shot += 1) {
      const free = this.#workers.filter(({ name }) => name !== this.#stopped);
      const victim = free[Math.floor(drawOf(sha256(`${digest}|${shot}`), 0) * free.length)];
      if (victim?.child.kill('SIGKILL')) this.#kills += 1;
    }
  }

  /** A process that stands still holds its lock, and nobody takes its batches over. */
  async #pausing(): Promise<void> {
    const { pauseMs } = this.#fire;
    if (pauseMs === 0 || !(await this.#rests(PAUSE_AFTER_MS))) return;
    const worker = this.#workers.find(({ name }) => this.#beginnings.has(name));
    if (!worker) return;
    this.#stopped = worker.name;
    worker.child.kill('SIGSTOP');
    this.#paused = { worker: worker.name, batches: [...(this.#beginnings.get(worker.name)?.keys() ?? [])] };
    await this.#rests(pauseMs);
    worker.child.kill('SIGCONT');
    this.#stopped = undefined;
  }

  async #crashing(): Promise<void> {
    const { crashMs } = this.#fire;
    for (let waitMs = crashMs; crashMs > 0 && (await this.#rests(waitMs)); ) {
      const began = performance.now();
      await this.#cluster.crash();
      this.#crashes += 1;
      waitMs = Math.max(crashMs - (performance.now() - began), 0);
    }
  }

  /** Waits, first of all for the fire; false: nothing is killed any more. */
  async #rests(ms: number): Promise<boolean> {
    while (!this.#fireAt && !this.#isOver) await sleep(100);
    const until = performance.now() + ms;
    while (!this.#calmAt && !this.#isOver && performance.now() < until) await sleep(Math.min(100, ms));
    return !this.#calmAt && !this.#isOver;
  }

  /** Looks how far each batch is until all are final, or the time is up. */
  async #watch(began: number): Promise<void> {
    const { batches, orders, calmMs } = this.#fire;
    let toldAt = 0;
    for (let left = orders; !this.#isOver; await sleep(LOOK_MS)) {
      left = (await this.#progress.look()) ?? left;
      const atSeconds = (performance.now() - began) / 1000;
      if (atSeconds - toldAt > TELL_MS / 1000) {
        toldAt = atSeconds;
        this.#emit(atSeconds, left);
      }
      this.#turn(atSeconds, left);
      const { finals } = this.#progress;
      if (!this.#calmAt) this.#finalUnderFire = finals;
      const isTimeUp = this.#calmAt && atSeconds - this.#calmAt.atSeconds > calmMs / 1000;
      if (finals < batches && !isTimeUp) continue;
      if (finals < batches) this.#violations.push(`${batches - finals} batches are not final`);
      this.#isOver = true;
    }
  }

  /** From peace to fire, when as many workers as all batches need are at work, and from fire to calm. */
  #turn(atSeconds: number, open: number): void {
    const { workers, batches, batchesEach, peaceMs, longestMs } = this.#fire;
    // The first workers may have taken all batches before the last ones were ready.
    const areAtWork = this.#beginnings.size >= Math.min(workers, Math.ceil(batches / batchesEach));
    if (areAtWork || atSeconds > PEACE_MS / 1000) this.#peaceAt ??= { atSeconds, open };
    if (this.#peaceAt && atSeconds - this.#peaceAt.atSeconds >= peaceMs / 1000) this.#fireAt ??= { atSeconds, open };
    if (this.#fireAt && atSeconds - this.#fireAt.atSeconds > longestMs / 1000) this.#calmAt ??= { atSeconds, open };
    if (this.#calmAt && atSeconds - this.#calmAt.atSeconds > SETTLE_MS / 1000) this.#settledAt ??= { atSeconds, open };
    if (this.#settledAt && this.#progress.finals > 0) this.#firstFinalAt ??= { atSeconds, open };
  }

  #emit(seconds: number, left: number): void {
    const done = `${left} orders open, ${this.#progress.finals} batches final, ${this.#kills} kills, ${this.#crashes} crashes`;
    this.#fire.say(`${seconds.toFixed(0)} s: ${done}`);
  }

  async #stop(): Promise<void> {
    const closed = this.#workers.map(({ child }) => once(child, 'close'));
    for (const { child } of this.#workers) {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
    }
    const all = Promise.all(closed);
    const stopped = await Promise.race([all, sleep(STOP_MS, 'late' as const, { ref: false })]);
    if (stopped !== 'late') return;
    this.#violations.push(`${this.#workers.length} workers did not end within ${STOP_MS / 1000} s of SIGTERM`);
    for (const { child } of this.#workers) child.kill('SIGKILL');
    await all;
  }
}

const workerName = (at: number): string => `worker-${at + 1}`;
