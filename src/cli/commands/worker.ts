/** `paybatch worker`: sends the batches of a shared ledger, on any number of machines, until it is stopped. */
import { Console } from 'node:console';
import path from 'node:path';
import { Writable } from 'node:stream';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { hastened } from '../../domain/clock.ts';
import type { Emit, RunEvent } from '../../domain/event.ts';
import { exitOfSignal, mostSevereExit } from '../../domain/exit-code.ts';
import { caughtFault, Fault } from '../../domain/fault.ts';
import type { BatchId } from '../../domain/ids.ts';
import { noOutcomes } from '../../domain/outcome.ts';
import { present } from '../../domain/present.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import type { SharedLedger } from '../../ledger/ledger.ts';
import { resumeBatch } from '../../run/paybatch.ts';
import { Senders } from '../../service/client/senders.ts';
import { type HealthServer, startHealthServer } from '../../worker/health-server.ts';
import type { OpenedBatch, WorkSite } from '../../worker/site.ts';
import { Tally } from '../../worker/tally.ts';
import { runWorker } from '../../worker/worker.ts';
import { Closing } from '../closing.ts';
import { answerEvent, cliCommand } from '../command.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { DoctorContext } from '../doctor/doctor-context.ts';
import { wholeNumber } from '../flags/options.ts';
import { notifying } from '../notify/notifier.ts';
import { payDue } from '../schedule/pay-due.ts';
import { emittedAndLogged, openSession } from '../session.ts';
import { ownShell, type Shell } from '../shell.ts';

/** The loopback address, which only this machine can reach. */
const DEFAULT_HOST = '127.0.0.1';

interface HealthAddress {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
}

/** Parses `9100`, `0.0.0.0:9100` or `[::]:9100`, for commander. */
function healthAddress(text: string): HealthAddress {
  const [, host = DEFAULT_HOST, digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = digits === '' ? Number.NaN : Number(digits);
  if (port <= 65_535) return { host: host.replace(/^\[(.*)\]$/, '$1'), port };
  throw new InvalidArgumentError('It takes a port, or an address and a port: 9100, or 0.0.0.0:9100.');
}

/** Passes everything that is written to `console` on to `log`, a line at a time. Returns the function that restores the console. */
function quietConsole(log: (line: string) => void): () => void {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, written) {
      log(chunk.toString('utf8').trimEnd());
      written();
    },
  });
  const before = globalThis.console;
  globalThis.console = new Console({ stdout: stream, stderr: stream });
  return () => {
    globalThis.console = before;
  };
}

/**
 * Most batches that a worker takes at the same time: each has four connections to the server of the ledger, and its own orders in
 * flight.
 */
const BATCHES_MAX = 32;

export const worker = cliCommand({
  example: 'paybatch worker --profile live',
  moreExamples: ['paybatch worker --batches 4 --health 9100', 'paybatch worker --schedules --once'],
  declare: (command) =>
    command
      .option('--batches <n>', 'batches to work on at once', wholeNumber(1, BATCHES_MAX), 1)
      .option('--health <address>', 'port for /live, /ready and /metrics, or ADDRESS:PORT', healthAddress)
      .option('--schedules', 'also plan what the schedules of this computer say is due, every minute')
      .option('--once', 'do what can be done now, then end; for cron')
      .option('--out <folder>', 'folder for the results of finished batches; default: `paybatch report` writes them'),
  async run(shell, _, options): Promise<RunEnd> {
    const loaded = shell.config();
    const reached = requireShared(loaded);
    const out = options.out === undefined ? undefined : path.resolve(shell.cwd, options.out);
    const tally = new Tally();
    // Each slice has its own client, and all of them share which senders were seen before.
    const senders = new Senders(shell.clock);
    const { emit, opened } = emittedAndLogged(shell, () => loaded.home);
    const { log } = opened();
    const say: WorkSite['log'] = (level, message) => log[level]({ type: 'queue', message });
    await using closing = new Closing();
    closing.adopt(
      quietConsole((message) => say('warn', message)),
      (restore) => restore(),
    );
    if (options.health) {
      const { host, port } = options.health;
      emitHealth(shell, closing.use(await startHealthServer(host, port, { tally, clock: shell.clock })));
    }
    const stopping = (): void => {
      tally.isStopping = true;
    };
    shell.signal.addEventListener('abort', stopping);
    closing.adopt(stopping, () => shell.signal.removeEventListener('abort', stopping));
    const once = options.once === true;
    let isReported = false;
    const work = (signal: AbortSignal) =>
      runWorker(
        {
          clock: shell.clock,
          signal,
          reached,
          batches: options.batches,
          once,
          async check() {
            const again = isReported;
            isReported = true;
            await requireReady(shell, again);
          },
          open: (batch, ended, hear) => openBatch({ ...shell, senders }, batch, { signal: ended, hear, out }),
          emit,
          log: say,
        },
        tally,
      );
    const exits = options.schedules ? await withSchedules(shell, once, work) : await work(shell.signal);
    return endOf(exits, once, shell.signal);
  },
});

/**
 * Returns the end of a worker. Without `--once` a worker runs until it is stopped, so a stop is what was asked for and ends with
 * 0: the batches have their own exit codes. With `--once` the most severe of those, and of an interruption, is the exit code.
 */
function endOf(exits: ReadonlyMap<string, number>, isOnce: boolean, signal: AbortSignal): RunEnd {
  const all = isOnce ? [...exits.values(), ...(signal.aborted ? [exitOfSignal(signal)] : [])] : [];
  return { exit: mostSevereExit(all), counts: noOutcomes(), files: [] };
}

function requireShared({ ledger }: LoadedConfig): SharedLedger {
  if (ledger) return ledger;
  throw new Fault(
    'usage',
    'A worker needs a ledger that is shared, on PostgreSQL, and this one is a file. Nothing was sent.',
    'Name it in "ledger" of the profile, or in PAYBATCH_LEDGER: paybatch help workers   A ledger in a file needs no worker: paybatch resume',
  );
}

/** Opens everything that a batch needs, and requests a token. Throws a Fault if the worker could not send. */
async function requireReady(shell: Shell, again: boolean): Promise<void> {
  const session = await openSession(shell, { sends: true, again });
  await session[Symbol.asyncDispose]();
  await using context = new DoctorContext(shell, false);
  await context.token();
}

function emitHealth({ flags, terminal, clock }: Shell, { url }: HealthServer): void {
  if (flags.json) answerEvent(terminal, clock.now(), { type: 'worker-health', url });
  else terminal.sayLabelled('Health', `${url}/live, /ready, /metrics`);
}

/** Events of a run that belong in the journal of a server. Rows contain names, and progress is in the metrics. */
const journalled: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>(['ledger.head', 'file']);

interface SliceOptions {
  readonly signal: AbortSignal;
  readonly hear: Emit;
  /** Folder for the results of a finished batch; `undefined` if `paybatch report` is to write them, wherever they are wanted. */
  readonly out: string | undefined;
}

/** Opens the session of `paybatch resume` for one slice of work on a batch. Everything is read again, so that a new secret takes effect with the next slice. */
async function openBatch(shell: Shell, batch: BatchId, { signal, hear, out }: SliceOptions): Promise<OpenedBatch> {
  const own = ownShell(shell, `worker, batch ${batch}`, signal, emitterOf(shell, batch, hear));
  const session = await openSession(own, { sends: true, again: true });
  const isLastSlice = (): boolean => out !== undefined && !signal.aborted;
  const deps = { ...session.deps, emitsEveryRow: false, writesResults: isLastSlice };
  return {
    ledger: deps.ledger,
    settings: deps.settings,
    async goOn(header) {
      const end = await resumeBatch(header, deps, out);
      // Nobody is notified each time that a batch is handed on.
      return signal.aborted
        ? end
        : notifying({ ...own, command: shell.command }, { ...session, deps }, async () => end);
    },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

/** Returns how a slice reports its events: warnings name the batch, and most other events are only heard. */
const emitterOf =
  ({ reporter }: Shell, batch: BatchId, hear: Emit): Emit =>
  (event) => {
    hear(event);
    if (journalled.has(event.type)) reporter.emit(event);
    else if (event.type === 'notice' && event.level !== 'info') {
      const { level, message, code } = event;
      reporter.emit({ type: 'notice', level, message: `Batch ${batch}: ${message}`, ...present({ code }) });
    }
  };

/** Interval between two checks of what is due, in milliseconds: the times of schedules are whole minutes. */
const TRIGGER_MS = 60_000;

/**
 * Reports whether an event of the schedules belongs in the journal of a server. Rows contain names, and what was reported before
 * is not news.
 */
const isForJournal = (event: RunEvent): boolean =>
  event.type === 'batch.planned' ||
  event.type === 'ledger.head' ||
  (event.type === 'period' && !event.told) ||
  (event.type === 'notice' && event.level !== 'info');

/**
 * Runs the work of a worker and triggers the schedules concurrently until that work ends; with `once`, triggers them one time
 * before it. A bug that ends one of the two also ends the other.
 */
async function withSchedules<T>(shell: Shell, once: boolean, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const trigger = triggerOf(shell);
  if (once) {
    await trigger(shell.signal);
    return work(shell.signal);
  }
  const over = new AbortController();
  const signal = AbortSignal.any([shell.signal, over.signal]);
  const end = (): void => over.abort();
  const [worked, kept] = await Promise.allSettled([
    work(signal).finally(end),
    keep(trigger, shell, signal).finally(end),
  ]);
  if (kept.status === 'rejected') throw kept.reason;
  if (worked.status === 'rejected') throw worked.reason;
  return worked.value;
}

type Trigger = (signal: AbortSignal) => Promise<void>;

async function keep(trigger: Trigger, { clock }: Shell, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await trigger(signal);
    await clock.sleep(hastened(TRIGGER_MS, clock), signal);
  }
}

/**
 * Returns a trigger that plans what is due. It is tried again every minute, so a fault that stops it is reported once for as long
 * as it stays the same.
 */
function triggerOf(shell: Shell): Trigger {
  const emit = (event: RunEvent): void => {
    if (isForJournal(event)) shell.reporter.emit(event);
  };
  let again = false;
  let last: string | undefined;
  return async (signal) => {
    const own = ownShell(shell, 'schedule run-due', signal, emit);
    const now = shell.clock.now();
    const fault = await payDue(own, { now, isDetached: true, again }).then((end) => end.fault, caughtFault);
    const says = sentenceOf(fault);
    if (says !== undefined && says !== last) {
      shell.reporter.emit({ type: 'notice', level: 'warning', message: `Schedules: ${says}` });
    }
    [again, last] = [true, says];
  };
}

/**
 * Returns the sentence to report about a fault; `undefined` if another process holds the ledger or the period, because it will
 * release it.
 */
const sentenceOf = (fault: Fault | undefined): string | undefined =>
  fault === undefined || fault.code === 'ledger-held'
    ? undefined
    : [fault.message, ...fault.details, fault.remedy].join(' ');
