/**
 * The rule of a schedule: the days on which it pays, in a person's words, for example "last weekday", "2nd friday", "day 25"
 * or "cron 0 9 25 * *".
 */
import { Fault } from '../domain/fault.ts';
import { isCron, type Span, spanOf } from './cron.ts';

/** The direction in which a pay day moves off a weekend or a holiday. */
export type Roll = 'back' | 'forward';

export const rolls: readonly Roll[] = ['back', 'forward'];

export type Rule =
  /** The nth day from Monday to Friday in a month that is not a holiday; -1 is the last one. Such a day is never moved. */
  | { readonly tag: 'working-day'; readonly nth: number }
  /** The nth day of that name in a month, holiday or not; -1 is the last one. Weekdays are counted from 0, Sunday. */
  | { readonly tag: 'weekday'; readonly nth: number; readonly weekday: number }
  /** A day by its number. A month that has fewer days pays on its last day. */
  | { readonly tag: 'day'; readonly day: number }
  /** A cron pattern: minutes, hours, days, months and weekdays. */
  | { readonly tag: 'cron'; readonly pattern: string; readonly span: Span };

const ordinals: Readonly<Record<string, number>> = {
  first: 1,
  '1st': 1,
  second: 2,
  '2nd': 2,
  third: 3,
  '3rd': 3,
  fourth: 4,
  '4th': 4,
  last: -1,
};

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** The most days that a month has. */
const DAY_MAX = 31;

/** Reads a rule. Throws a Fault `usage` that lists the known forms. */
export function ruleFrom(text: string): Rule {
  const words = text.trim().replace(/\s+/g, ' ');
  const [, pattern] = /^cron (.+)$/i.exec(words) ?? [];
  if (pattern !== undefined) {
    const bare = pattern.replace(/^"(.*)"$/, '$1');
    if (isCron(bare)) return { tag: 'cron', pattern: bare, span: spanOf(bare) };
    throw wrong(
      text,
      'A pattern of cron has five fields: minute, hour, day, month, weekday. For example: "cron 0 9 25 * *".',
    );
  }
  const [first = '', second = '', ...more] = words.toLowerCase().split(' ');
  const nth = ordinals[first];
  if (more.length === 0 && nth !== undefined) {
    if (second === 'weekday') return { tag: 'working-day', nth };
    if (second === 'day' && nth === -1) return { tag: 'day', day: DAY_MAX };
    if (weekdays.includes(second)) return { tag: 'weekday', nth, weekday: weekdays.indexOf(second) };
  }
  if (more.length === 0 && first === 'day' && /^\d{1,2}$/.test(second)) {
    const day = Number(second);
    if (day >= 1 && day <= DAY_MAX) return { tag: 'day', day };
  }
  throw wrong(
    text,
    'Use one of: "last weekday", "first weekday", "2nd friday", "last friday", "day 25", "last day", "cron 0 9 25 * *".',
  );
}

/** Throws a Fault `usage` if the schedule moves a rule that cannot be moved. */
export function requireRoll({ tag }: Rule, roll: Roll | undefined): void {
  if (roll === undefined || tag === 'weekday' || tag === 'day') return;
  throw new Fault(
    'usage',
    tag === 'cron'
      ? 'A cron pattern sets its own days, so they cannot be moved.'
      : 'This day is never a weekend or a holiday, so it never has to move.',
    'Leave --roll out.',
  );
}

const wrong = (text: string, remedy: string): Fault =>
  new Fault('usage', `"${text}" does not say on which day to pay.`, remedy);
