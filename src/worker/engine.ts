/**
 * graphile-worker, which hands out the jobs of the queue. No other file of the program knows it. It is not part of the
 * package: it is installed where a worker is started, and everyone else does without its fifty packages.
 */
import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import { openPool } from '../database/postgres/connection.ts';
import { faultOf } from '../database/postgres/faults.ts';
import type { Clock } from '../domain/clock.ts';
import { codeOf, Fault } from '../domain/fault.ts';
import type { SharedLedger } from '../ledger/ledger.ts';
import { queueSchema, TASK } from './queue.ts';

/** The version of the engine that this version of paybatch was tested with. */
export const ENGINE = 'graphile-worker@0.18.0';

/** How often a free place looks for a job without being notified, in milliseconds. */
const LOOK_MS = 1000;

/** Connections in addition to one for each batch: one listens, one asks. */
const SPARE_CONNECTIONS = 2;

/** How long the engine may take to end once nothing is under way, in milliseconds. */
const END_MS = 10_000;

/**
 * Settings that report the end of a job to the server in batches, of one job each. Reported directly, the report would not be
 * awaited, and a server that is gone would end the process (0.18.0).
 */
const NO_LOOSE_ENDS = { completeJobBatchDelay: 0, failJobBatchDelay: 0 } as const;

export interface EngineOptions {
  readonly reached: SharedLedger;
  /** Most batches that are worked on at the same time. */
  readonly batches: number;
  /** Does a job. It must never reject: the queue does not decide what becomes of a job. */
  readonly work: (payload: unknown) => Promise<void>;
  readonly log: (level: 'debug' | 'warn', message: string) => void;
  readonly sleep: Clock['sleep'];
}

export interface Engine {
  /** The name that locks the jobs that the engine has taken. */
  readonly name: string;
  /** Aborted when the engine takes no more jobs, no matter what ended it. */
  readonly over: AbortSignal;
  /** Takes no more jobs, and resolves when those that were taken are done. `isLost`: the server is gone, and may never answer. */
  stop(isLost: boolean): Promise<void>;
}

/** Creates the queue if there is none, and begins to take jobs. Throws a Fault. */
export async function startEngine({ reached, batches, work, log, sleep }: EngineOptions): Promise<Engine> {
  const { run, Logger } = await loadEngine();
  const trouble = (error: Error): void => log('warn', error.message);
  const { pool, close } = await openPool(reached, batches + SPARE_CONNECTIONS, trouble);
  const events = new EventEmitter() as WorkerEvents;
  let name = '';
  events.on('pool:create', ({ workerPool }) => {
    name = workerPool.id;
  });
  try {
    const runner = await run({
      pgPool: pool,
      schema: queueSchema(reached.address.schema),
      concurrency: batches,
      pollInterval: LOOK_MS,
      noHandleSignals: true,
      preset: { worker: NO_LOOSE_ENDS },
      // Otherwise the engine would look for a crontab file of its own in the current folder.
      parsedCronItems: [],
      taskList: { [TASK]: (payload) => work(payload) },
      events,
      logger: new Logger(
        () => (level, message) => log(level === 'error' || level === 'warning' ? 'warn' : 'debug', message),
      ),
    });
    const over = new AbortController();
    const ended = runner.promise.catch(trouble).finally(() => over.abort());
    return {
      name,
      over: over.signal,
      async stop(isLost) {
        const stopped = over.signal.aborted ? ended : runner.stop().catch(trouble);
        await (isLost ? briefly(stopped, sleep) : stopped);
        await briefly(close(), sleep);
      },
    };
  } catch (error) {
    await briefly(close(), sleep);
    throw faultOf(error, reached.address);
  }
}

/** Waits for some work, but no longer than the engine may take to end. A sleep that outlived the work would keep the process alive. */
async function briefly(work: Promise<void>, sleep: Clock['sleep']): Promise<void> {
  const done = new AbortController();
  try {
    await Promise.race([work, sleep(END_MS, done.signal)]);
  } finally {
    done.abort();
  }
}

async function loadEngine(): Promise<typeof import('graphile-worker')> {
  try {
    return await import('graphile-worker');
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Fault(
      'configuration',
      `Workers need the package ${ENGINE}, which is installed for them alone. Nothing was sent.`,
      `Install it where paybatch is: npm install --global ${ENGINE}   In a project of your own, without --global.`,
      { cause: error },
    );
  }
}
