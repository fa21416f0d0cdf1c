/** How long something takes, for people. */

const MS_PER_SECOND = 1000;
const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_HOUR = 60;
/** Longest time that is told in seconds, and in minutes; longer ones are told in the next unit. */
const SECONDS_MAX = 120;
const MINUTES_MAX = 120;

/** A time that is left or asked for, never told shorter than it is: `14 s`, `3 min`, `24 h`. */
export function durationText(ms: number): string {
  const seconds = Math.ceil(ms / MS_PER_SECOND);
  if (seconds <= SECONDS_MAX) return `${seconds} s`;
  const minutes = Math.ceil(seconds / SECONDS_PER_MINUTE);
  return minutes <= MINUTES_MAX ? `${minutes} min` : `${Math.ceil(minutes / MINUTES_PER_HOUR)} h`;
}
