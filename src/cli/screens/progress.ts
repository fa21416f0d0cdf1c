/** Progress for people: a bar that redraws itself on a terminal, a plain line every tenth elsewhere. */
import { counted } from '../../domain/counted.ts';
import type { RunEvent } from '../../domain/event.ts';
import type { Terminal } from './terminal.ts';

type ProgressEvent = Extract<RunEvent, { type: 'progress' }>;

/** The bar is redrawn at most this often, in milliseconds. */
const REDRAW_MS = 100;
const BAR_CELLS = 28;
const MS_PER_SECOND = 1000;

export class Progress {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  #startedAt: number | undefined;
  #startedDone = 0;
  #drawnAt = 0;
  #tenth = -1;

  constructor(terminal: Terminal, now: () => number) {
    this.#terminal = terminal;
    this.#now = now;
  }

  show(event: ProgressEvent): void {
    const now = this.#now();
    if (this.#startedAt === undefined) {
      this.#startedAt = now;
      this.#startedDone = event.done;
    }
    if (this.#terminal.animated) this.#draw(event, now);
    else this.#line(event);
  }

  /** What is asked before anything is sent. */
  beforehand({ done, of, leftMs }: Extract<RunEvent, { type: 'reconcile.progress' }>): void {
    const seconds = Math.ceil(leftMs / MS_PER_SECOND);
    const text = `Nothing is sent yet: looking up ${done} of ${of}${seconds > 0 ? `, about ${seconds} s left` : ''}`;
    const tenth = Math.floor((done / of) * 10);
    if (this.#terminal.animated) this.#terminal.transient(text);
    else if (tenth !== this.#tenth) this.#terminal.say(text);
    this.#tenth = done === of ? -1 : tenth;
  }

  finish(): void {
    this.#terminal.clearTransient();
  }

  #draw(event: ProgressEvent, now: number): void {
    if (now - this.#drawnAt < REDRAW_MS && event.done < event.of) return;
    this.#drawnAt = now;
    const share = event.of === 0 ? 1 : event.done / event.of;
    const filled = Math.round(share * BAR_CELLS);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_CELLS - filled);
    this.#terminal.transient(
      `Paying    ${bar}  ${event.done}/${event.of}  ${event.waiting} waiting${this.#left(event, now)}`,
    );
  }

  #left({ done, of }: ProgressEvent, now: number): string {
    const seconds = (now - (this.#startedAt ?? now)) / 1000;
    const rate = seconds > 0 ? (done - this.#startedDone) / seconds : 0;
    if (rate <= 0 || done >= of) return '';
    return `  ${rate.toFixed(0)}/s  ${Math.ceil((of - done) / rate)} s left`;
  }

  #line({ done, of, waiting }: ProgressEvent): void {
    const tenth = of === 0 ? 10 : Math.floor((done / of) * 10);
    if (tenth === this.#tenth) return;
    this.#tenth = tenth;
    this.#terminal.say(
      `Paying    ${done} of ${counted(of, 'row has its', 'rows have their')} final word, ${waiting} waiting`,
    );
  }
}
