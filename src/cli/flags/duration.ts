/** Lengths of time as people type them: `90m`, `36h`, `3d`. */
import { InvalidArgumentError } from '@commander-js/extra-typings';

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds, for commander's own parsing: anything else, or more than `mostMs`, is a usage error naming the option. */
export const duration =
  (mostMs: number) =>
  (text: string): number => {
    const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
    const ms = Number(count) * (units[unit] ?? Number.NaN);
    if (ms > 0 && ms <= mostMs) return ms;
    throw new InvalidArgumentError(
      `It takes minutes, hours or days, for example 36h or 3d; at most ${mostMs / 86_400_000}d.`,
    );
  };
