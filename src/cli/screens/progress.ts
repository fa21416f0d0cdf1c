/** Progress for people: on a terminal, two lines that redraw themselves, with a countdown; elsewhere, a plain line for every tenth. */
import { counted, durationText } from '../../domain/counted.ts';
import type { RunEvent } from '../../domain/event.ts';
import { finishedIn, type OutcomeCounts } from '../../domain/outcome.ts';
import { awaitedWords, progressFigures } from '../../results/progress-words.ts';
import type { Terminal } from './terminal.ts';

type ProgressEvent = Extract<RunEvent, { type: 'progress' }>;
type AskingEvent = Extract<RunEvent, { type: 'reconcile.progress' }>;

/** Shortest time between two redraws, in milliseconds. */
const REDRAW_MS = 100;
/** Interval at which a countdown moves, in milliseconds. */
const TICK_MS = 1000;
const BAR_CELLS = 24;
const MS_PER_SECOND = 1000;
const SECONDS_PER_MINUTE = 60;

/** The clock that progress needs. `sleep` is absent where nothing moves on its own. */
export interface ProgressClock {
  now(): number;
  sleep?(ms: number, signal: AbortSignal): Promise<void>;
}

export class Progress {
  readonly #terminal: Terminal;
  readonly #clock: ProgressClock;
  /** The verb for what the command does with the rows. */
  readonly #verb: string;
  #started: { readonly at: number; readonly done: number; readonly sent: number } | undefined;
  #drawnAt = 0;
  /** Time of the first report on look-ups that are made before anything is sent. */
  #askingSince: number | undefined;
  #tenth = -1;
  /** The wait that the latest plain line reported. */
  #awaitedFor: NonNullable<ProgressEvent['awaits']>['for'] | undefined;
  /** Draws the latest report as it is now. */
  #draw: (() => readonly string[]) | undefined;
  readonly #over = new AbortController();
  #isTicking = false;

  constructor(terminal: Terminal, clock: ProgressClock, verb = 'Paying') {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#verb = verb;
  }

  show(event: ProgressEvent): void {
    const now = this.#clock.now();
    const { counts, waiting } = event;
    const { done, of } = finishedIn(counts);
    this.#started ??= { at: now, done, sent: of - counts.unsent };
    if (this.#terminal.animated) {
      this.#drawSoon(() => this.#lines(event), counts.unsent + waiting === 0);
      return;
    }
    this.#eachTenth(done, of, () => this.#plainLine(event));
    this.#sayAwaited(event);
  }

  /** Shows the look-ups that are made before anything is sent. */
  beforehand({ done, of, leftMs }: AskingEvent): void {
    this.#askingSince ??= this.#clock.now();
    const [since, until] = [this.#askingSince, this.#clock.now() + leftMs];
    const text = (): string => {
      const left = until - this.#clock.now();
      return `${done} of ${of} look-ups${left > 0 ? `; about ${durationText(left)} left` : ''}`;
    };
    const why = 'Nothing is sent until then. Needed for each batch of a new ledger.';
    if (this.#terminal.animated)
      this.#drawSoon(() => [`Asking    ${this.#waitedBar(since, until)}  ${text()}`, `          ${why}`], true);
    else this.#eachTenth(done, of, () => `Asking    ${text()}. ${why}`);
    if (done === of) [this.#tenth, this.#askingSince] = [-1, undefined];
  }

  /** Returns a bar of how much of a wait is over: look-ups are made quickly, and what is left is time. */
  #waitedBar(since: number, until: number): string {
    return barOf(this.#clock.now() - since, until - since);
  }

  finish(): void {
    this.#over.abort();
    this.#terminal.clearTransient();
  }

  #drawSoon(draw: () => readonly string[], isLast: boolean): void {
    this.#draw = draw;
    const now = this.#clock.now();
    if (now - this.#drawnAt >= REDRAW_MS || isLast) this.#redraw(now);
    if (!this.#isTicking) void this.#tick();
  }

  #redraw(now: number): void {
    this.#drawnAt = now;
    this.#terminal.transient(...(this.#draw?.() ?? []));
  }

  /** Moves the countdown while nothing is reported. */
  async #tick(): Promise<void> {
    const { signal } = this.#over;
    if (!this.#clock.sleep) return;
    this.#isTicking = true;
    while (!signal.aborted) {
      await this.#clock.sleep(TICK_MS, signal);
      if (!signal.aborted) this.#redraw(this.#clock.now());
    }
  }

  #lines(event: ProgressEvent): readonly string[] {
    const { done, of } = finishedIn(event.counts);
    return [
      `${this.#verb.padEnd(9)} ${barOf(done, of)}  ${done} of ${of}${this.#speed(event.counts)}`,
      `          ${[...progressFigures(event), ...awaitedWords(event, this.#clock.now())].join(', ')}`,
    ];
  }

  /** Returns how fast rows end, and how long sending the unsent rows takes. */
  #speed(counts: OutcomeCounts): string {
    const { done, of } = finishedIn(counts);
    const { at = 0, done: doneThen = 0, sent: sentThen = 0 } = this.#started ?? {};
    const seconds = (this.#clock.now() - at) / MS_PER_SECOND;
    if (seconds <= 0) return '';
    const rate = (done - doneThen) / seconds;
    const sending = (of - counts.unsent - sentThen) / seconds;
    const doneText =
      rate <= 0 ? '' : rate >= 1 ? `, ${rate.toFixed(0)}/s` : `, ${(rate * SECONDS_PER_MINUTE).toFixed(0)}/min`;
    const leftMs = counts.unsent > 0 && sending > 0 ? (counts.unsent / sending) * MS_PER_SECOND : 0;
    return `${doneText}${leftMs > 0 ? `, about ${durationText(leftMs)} to send` : ''}`;
  }

  /** Reports a wait as it begins where lines are not redrawn; otherwise it would be unknown until the next tenth. */
  #sayAwaited(event: ProgressEvent): void {
    const awaited = event.awaits?.for;
    if (awaited === this.#awaitedFor) return;
    this.#awaitedFor = awaited;
    for (const what of awaitedWords(event, this.#clock.now())) this.#terminal.say(`${this.#verb.padEnd(9)} ${what}`);
  }

  #plainLine(event: ProgressEvent): string {
    const { waiting, counts } = event;
    const { done, of } = finishedIn(counts);
    return `${this.#verb.padEnd(9)} ${done} of ${counted(of, 'row')} finished, ${waiting} waiting; ${progressFigures(event).join(', ')}`;
  }

  #eachTenth(done: number, of: number, line: () => string): void {
    const tenth = of === 0 ? 10 : Math.floor((done / of) * 10);
    if (tenth === this.#tenth) return;
    this.#tenth = tenth;
    this.#terminal.say(line());
  }
}

function barOf(done: number, of: number): string {
  const filled = Math.round((of === 0 ? 1 : Math.min(done / of, 1)) * BAR_CELLS);
  return '█'.repeat(filled) + '░'.repeat(BAR_CELLS - filled);
}
