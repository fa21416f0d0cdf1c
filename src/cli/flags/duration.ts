/** Lengths of time as people type them: `90s`, `30m`, `36h`, `3d`. */
import { InvalidArgumentError } from '@commander-js/extra-typings';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: HOUR_MS, d: DAY_MS };

/**
 * Parses a length of time into milliseconds, for commander. Anything else, or more than `mostMs`, is a usage error that names the
 * option.
 */
export const duration =
  (mostMs: number) =>
  (text: string): number => {
    const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
    const ms = Number(count) * (units[unit] ?? Number.NaN);
    if (ms > 0 && ms <= mostMs) return ms;
    const most = mostMs > DAY_MS ? `${mostMs / DAY_MS}d` : `${mostMs / HOUR_MS}h`;
    throw new InvalidArgumentError(
      `It takes seconds, minutes, hours or days, for example 90s, 30m, 2h or 1d; at most ${most}.`,
    );
  };
