/** Time as a port, so that a test can control it. No other file of the core asks the machine for the time. */
export interface Clock {
  /** Wall-clock milliseconds since 1970, for records and for comparing with what another process wrote. */
  now(): number;
  /** Milliseconds that never go back, for measuring how long something took. */
  monotonicMs(): number;
  /** Resolves after `ms` milliseconds, or immediately when the signal is aborted. It never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Factor by which the limits of silent leases and the rounds of workers are shorter than documented; 1 if absent. It
   * must be the same in all processes of a ledger. No setting reaches it: only a test that kills hundreds of processes
   * passes it to them.
   */
  readonly haste?: number;
}

/** Returns a limit of leases or workers, in milliseconds, shortened by the haste of a clock. */
export const hastened = (ms: number, { haste = 1 }: Pick<Clock, 'haste'>): number => ms / haste;

/** Milliseconds of a minute, and of a day without a change of the clock. */
export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** Randomness as a port: a number in [0, 1). */
export type Random = () => number;

/** Date formats by time zone. Creating one costs fifty times as much as using it, and memory that is released late. */
class ZoneFormats {
  readonly #parts: Intl.DateTimeFormatOptions;
  readonly #locale: string;
  readonly #made = new Map<string, Intl.DateTimeFormat>();

  constructor(locale: string, parts: Intl.DateTimeFormatOptions) {
    this.#locale = locale;
    this.#parts = parts;
  }

  of(timeZone: string): Intl.DateTimeFormat {
    const known = this.#made.get(timeZone);
    if (known) return known;
    const made = new Intl.DateTimeFormat(this.#locale, { timeZone, ...this.#parts });
    this.#made.set(timeZone, made);
    return made;
  }
}

const days = new ZoneFormats('sv-SE', { dateStyle: 'short' });
const times = new ZoneFormats('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
/** Years, months and days as numbers of the ISO 8601 calendar, regardless of the system's locale. */
const minutes = new ZoneFormats('en-u-ca-iso8601-nu-latn', {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
});

/** Returns `2026-11-22 15:20` on the clocks of a time zone, for people. The caller shows which zone that is. */
export const localTime = (ms: number, timezone: string): string => times.of(timezone).format(ms);

/** Returns the calendar day of a moment on the clocks of a time zone: `2026-11-22`. */
export const localDate = (ms: number, timezone: string): string => days.of(timezone).format(ms);

const DAYS_PER_WEEK = 7;
const THURSDAY = 4;

/** Returns the ISO 8601 week of a calendar day, for example `2026-w53` of `2027-01-01`. A week belongs to the year of its Thursday. */
export function weekOf(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  const thursday = day.getTime() + (THURSDAY - (day.getUTCDay() || DAYS_PER_WEEK)) * DAY_MS;
  const year = new Date(thursday).getUTCFullYear();
  const week = Math.floor((thursday - Date.UTC(year, 0, 1)) / DAY_MS / DAYS_PER_WEEK) + 1;
  return `${year}-w${String(week).padStart(2, '0')}`;
}

/**
 * Returns a function that turns a moment into the time whose UTC parts are the local parts of that moment, in whole seconds,
 * because spreadsheets and plots know no time zones. The last minute asked for is cached, since moments close together are
 * asked for one after the other.
 */
export function localClock(timezone: string): (ms: number) => number {
  let known = { minute: Number.NaN, local: 0 };
  return (ms) => {
    const minute = Math.floor(ms / MINUTE_MS);
    if (minute !== known.minute) known = { minute, local: localMinute(minute * MINUTE_MS, timezone) };
    return known.local + Math.floor((ms - minute * MINUTE_MS) / 1000) * 1000;
  };
}

/** Returns what the clocks of a zone show at a moment, as if that were UTC; seconds are left out. */
export function localMinute(ms: number, timezone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of minutes.of(timezone).formatToParts(ms)) parts[type] = Number(value);
  const { year = Number.NaN, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute);
}

/** Returns a time as ISO 8601 in UTC with milliseconds, for records and messages. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Reports whether a time zone of this name is known. Otherwise an unknown zone would be noticed only after money has gone out. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
