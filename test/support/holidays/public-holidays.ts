/**
 * The public holidays of countries, from which the calendars in `templates/holidays` are made: `node test/support/programs/make-holidays.ts`.
 * Laws name fixed days and those around Easter. What is announced each time (Islamic feasts, days in lieu where no law gives them) is
 * marked as expected. Days that a government gives once, as for an election or a funeral, are in no such table.
 */
import type { HolidayCountry } from '../../../src/schedule/holidays.ts';

/** The years that the calendars are made for; whoever changes them reads the laws again. */
export const YEARS = [2026, 2027, 2028] as const;

export interface PublicHoliday {
  /** 2026-12-25 */
  readonly day: string;
  readonly name: string;
  /** It is announced shortly before, and may be another day. */
  readonly isExpected: boolean;
}

/** `month-day`, days after Easter Sunday, the first Friday of a month, or a day of the Islamic year with days after it. */
type When =
  | { readonly on: string }
  | { readonly easter: number }
  | { readonly firstFridayOf: number }
  | { readonly islamic: 'fitr' | 'adha' | 'mawlid'; readonly plus?: number };

interface Rule {
  readonly name: string;
  readonly when: When;
  /** No law names it: it is announced each time. */
  readonly isExpected?: true;
  /** It has no day in lieu. */
  readonly isNeverMoved?: true;
  /** The president may move it from the middle of a week to its Friday. */
  readonly mayMoveToFriday?: true;
  /** Years in which it is; missing: all of them. */
  readonly only?: readonly number[];
}

/** The day in lieu of a holiday on a weekend. */
interface InLieu {
  readonly of: 'sunday' | 'weekend';
  /** `next`: the first weekday that is no holiday. `monday`: the Monday, where it is none already. */
  readonly to: 'next' | 'monday';
  /** The Sunday itself is a holiday no more. */
  readonly replaces?: true;
  readonly isExpected?: true;
}

interface Law {
  readonly country: string;
  /** What says so, for people who check it. */
  readonly source: string;
  readonly rules: readonly Rule[];
  readonly inLieu?: InLieu;
}

const on = (name: string, day: string, more: Omit<Rule, 'name' | 'when'> = {}): Rule => ({
  name,
  when: { on: day },
  ...more,
});

const newYear = on("New Year's Day", '01-01');
const goodFriday: Rule = { name: 'Good Friday', when: { easter: -2 } };
const easterMonday: Rule = { name: 'Easter Monday', when: { easter: 1 } };
const christmas = on('Christmas Day', '12-25');
const boxingDay = on('Boxing Day', '12-26');

const feast = (name: string, islamic: 'fitr' | 'adha' | 'mawlid', plus = 0): Rule => ({
  name,
  when: { islamic, plus },
  isExpected: true,
});

export const laws: Readonly<Record<HolidayCountry, Law>> = {
  KE: {
    country: 'Kenya',
    source:
      'Public Holidays Act (Cap. 110), Schedule, Parts I and II, as amended in 2024; section 4 for Sundays; section 2(4) and article 101(1) of the Constitution for the general election',
    inLieu: { of: 'sunday', to: 'next', replaces: true },
    rules: [
      newYear,
      goodFriday,
      easterMonday,
      on('Labour Day', '05-01'),
      on('Madaraka Day', '06-01'),
      on('General election', '08-10', { only: [2027] }),
      on('Mazingira Day', '10-10'),
      on('Mashujaa Day', '10-20'),
      on('Jamhuri Day', '12-12'),
      christmas,
      boxingDay,
      feast('Idd-ul-Fitr', 'fitr'),
      feast('Idd-ul-Azha', 'adha'),
    ],
  },
  UG: {
    country: 'Uganda',
    source: 'Public Holidays Act (Cap. 255), which gives no days in lieu of weekends',
    rules: [
      newYear,
      on('NRM Liberation Day', '01-26'),
      on('Archbishop Janani Luwum Day', '02-16'),
      on("International Women's Day", '03-08'),
      goodFriday,
      easterMonday,
      on('Labour Day', '05-01'),
      on("Martyrs' Day", '06-03'),
      on("National Heroes' Day", '06-09'),
      on('Independence Day', '10-09'),
      christmas,
      boxingDay,
      feast('Idd el Fitr', 'fitr'),
      feast('Idd Adhuha', 'adha'),
    ],
  },
  TZ: {
    country: 'Tanzania',
    source:
      'Public Holidays Act (Cap. 35) and notices of the President under it; no days in lieu of weekends. The second day of Idd el Fitr is kept by custom',
    rules: [
      newYear,
      on('Zanzibar Revolution Day', '01-12'),
      on('Karume Day', '04-07'),
      goodFriday,
      easterMonday,
      on('Union Day', '04-26'),
      on("Workers' Day", '05-01'),
      on('Saba Saba', '07-07'),
      on('Nane Nane', '08-08'),
      on('Nyerere Day', '10-14'),
      on('Independence Day', '12-09'),
      christmas,
      boxingDay,
      feast('Idd el Fitr', 'fitr'),
      feast('Idd el Fitr, second day', 'fitr', 1),
      feast('Idd el Hajj', 'adha'),
      feast('Maulid', 'mawlid'),
    ],
  },
  RW: {
    country: 'Rwanda',
    source:
      'Presidential Orders 54/01 of 24/02/2017 and 062/01 of 19/10/2022 determining official public holidays; the working day after a weekend in lieu, but for 7 April',
    inLieu: { of: 'weekend', to: 'monday' },
    rules: [
      newYear,
      on("Day after New Year's Day", '01-02'),
      on("National Heroes' Day", '02-01'),
      on('Genocide against the Tutsi Memorial Day', '04-07', { isNeverMoved: true }),
      goodFriday,
      easterMonday,
      on('Labour Day', '05-01'),
      on('Independence Day', '07-01'),
      on('Liberation Day', '07-04'),
      { name: 'Umuganura Day', when: { firstFridayOf: 8 } },
      on('Assumption Day', '08-15'),
      christmas,
      boxingDay,
      feast('Eid el Fitr', 'fitr'),
      feast('Eid al-Adha', 'adha'),
    ],
  },
  NG: {
    country: 'Nigeria',
    source:
      'Public Holidays Act (Cap. P40 LFN 2004), as amended in 2019. Boxing Day, second days of feasts, and weekdays in lieu of weekends are declared by the Federal Government each time',
    inLieu: { of: 'weekend', to: 'next', isExpected: true },
    rules: [
      newYear,
      goodFriday,
      easterMonday,
      on("Workers' Day", '05-01'),
      on('Democracy Day', '06-12'),
      on('National Day', '10-01'),
      christmas,
      { ...boxingDay, isExpected: true },
      feast('Id el Fitr', 'fitr'),
      feast('Id el Fitr, second day', 'fitr', 1),
      feast('Id el Kabir', 'adha'),
      feast('Id el Kabir, second day', 'adha', 1),
      feast('Id el Maulud', 'mawlid'),
    ],
  },
  GH: {
    country: 'Ghana',
    source:
      'Public Holidays and Commemorative Days Act, 2001 (Act 601), as amended in 2019 and 2025. Fridays for days in the middle of a week, and Mondays for weekends, are given by Executive Instrument each time',
    inLieu: { of: 'weekend', to: 'next', isExpected: true },
    rules: [
      newYear,
      on('Constitution Day', '01-07', { mayMoveToFriday: true }),
      on('Independence Day', '03-06'),
      goodFriday,
      easterMonday,
      on("Workers' Day", '05-01'),
      on('Republic Day', '07-01', { mayMoveToFriday: true }),
      on("Founder's Day", '09-21', { mayMoveToFriday: true }),
      { name: "Farmers' Day", when: { firstFridayOf: 12 } },
      christmas,
      boxingDay,
      feast('Eid-ul-Fitr', 'fitr'),
      feast('Shaqq Day', 'fitr', 1),
      feast('Eid-ul-Adha', 'adha'),
    ],
  },
  ZA: {
    country: 'South Africa',
    source: 'Public Holidays Act 36 of 1994, Schedule 1; section 2(1) for Sundays',
    inLieu: { of: 'sunday', to: 'monday' },
    rules: [
      newYear,
      on('Human Rights Day', '03-21'),
      goodFriday,
      { ...easterMonday, name: 'Family Day' },
      on('Freedom Day', '04-27'),
      on("Workers' Day", '05-01'),
      on('Youth Day', '06-16'),
      on("National Women's Day", '08-09'),
      on('Heritage Day', '09-24'),
      on('Day of Reconciliation', '12-16'),
      christmas,
      { ...boxingDay, name: 'Day of Goodwill' },
    ],
  },
};

/** Days of the Islamic feasts by the calendar of Umm al-Qura; whoever announces them looks for the moon, and may be a day later. */
const feasts: Readonly<Record<'fitr' | 'adha' | 'mawlid', Readonly<Record<number, string>>>> = {
  fitr: { 2026: '2026-03-20', 2027: '2027-03-09', 2028: '2028-02-26' },
  adha: { 2026: '2026-05-27', 2027: '2027-05-16', 2028: '2028-05-05' },
  mawlid: { 2026: '2026-08-25', 2027: '2027-08-14', 2028: '2028-08-03' },
};

const DAY_MS = 86_400_000;
const FRIDAY = 5;
const SATURDAY = 6;

const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const plus = (day: string, days: number): string => new Date(msOf(day) + days * DAY_MS).toISOString().slice(0, 10);
/** From 0, a Sunday. */
const weekdayOf = (day: string): number => new Date(msOf(day)).getUTCDay();
const isWeekend = (day: string): boolean => [0, SATURDAY].includes(weekdayOf(day));

/** Easter Sunday of the Gregorian calendar: the Sunday after the full moon of the Church, by Gauss's rule with its two exceptions. */
export function easterOf(year: number): string {
  const century = Math.floor(year / 100);
  const moonShift = (15 + century - Math.floor(century / 4) - Math.floor((13 + 8 * century) / 25)) % 30;
  const weekShift = (4 + century - Math.floor(century / 4)) % 7;
  const cycle = year % 19;
  const moon = (19 * cycle + moonShift) % 30;
  const late = moon === 29 || (moon === 28 && (11 * moonShift + 11) % 30 < 19) ? 1 : 0;
  const sunday = (2 * (year % 4) + 4 * (year % 7) + 6 * moon + weekShift) % 7;
  const days = moon + sunday - (late === 1 && sunday === 6 ? 7 : 0);
  return plus(`${year}-03-22`, days);
}

function dayIn(year: number, when: When): string {
  if ('on' in when) return `${year}-${when.on}`;
  if ('easter' in when) return plus(easterOf(year), when.easter);
  if ('islamic' in when) return plus(feasts[when.islamic][year] ?? '', when.plus ?? 0);
  const first = `${year}-${String(when.firstFridayOf).padStart(2, '0')}-01`;
  return plus(first, (FRIDAY - weekdayOf(first) + 7) % 7);
}

/** The public holidays of a country in the years of the table, in their order. */
export function publicHolidaysOf({ rules, inLieu }: Law): readonly PublicHoliday[] {
  const all = YEARS.flatMap((year) =>
    rules
      .filter(({ only }) => only?.includes(year) ?? true)
      .map((rule) => ({ rule, day: dayIn(year, rule.when), name: rule.name, isExpected: rule.isExpected ?? false })),
  ).toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const taken = new Set(all.map(({ day }) => day));
  const found: PublicHoliday[] = [];
  for (const { rule, day, name, isExpected } of all) {
    const lieu = inLieu && !rule.isNeverMoved ? dayInLieu(day, inLieu, taken) : undefined;
    const friday =
      rule.mayMoveToFriday && [2, 3, 4].includes(weekdayOf(day)) ? plus(day, FRIDAY - weekdayOf(day)) : undefined;
    if (!(lieu && inLieu?.replaces)) found.push({ day, name, isExpected: isExpected || friday !== undefined });
    for (const other of [lieu, friday]) {
      if (other === undefined) continue;
      taken.add(other);
      const isTold = isExpected || friday !== undefined || (inLieu?.isExpected ?? false);
      found.push({ day: other, name: `${name}, in lieu`, isExpected: isTold });
    }
  }
  return found.toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

function dayInLieu(day: string, { of, to }: InLieu, taken: ReadonlySet<string>): string | undefined {
  const weekday = weekdayOf(day);
  if (of === 'sunday' ? weekday !== 0 : !isWeekend(day)) return undefined;
  let other = plus(day, weekday === 0 ? 1 : 2);
  if (to === 'monday') return taken.has(other) ? undefined : other;
  while (taken.has(other) || isWeekend(other)) other = plus(other, 1);
  return other;
}

/** Longest line of a calendar in octets (RFC 5545, section 3.1); these have ASCII alone. */
const LINE_MAX = 75;

const folded = (line: string): string =>
  line.length <= LINE_MAX ? line : `${line.slice(0, LINE_MAX)}\r\n${folded(` ${line.slice(LINE_MAX)}`)}`;

const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&');

/** The calendar of a country as a file (RFC 5545). */
export function calendarOf(code: HolidayCountry): string {
  const law = laws[code];
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//paybatch//public holidays//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escaped(`Public holidays of ${law.country}, ${YEARS[0]} to ${YEARS.at(-1)}`)}`,
    `X-WR-CALDESC:${escaped(`${law.source}. TENTATIVE: it is announced shortly before, and may be another day.`)}`,
    ...publicHolidaysOf(law).flatMap(({ day, name, isExpected }, index) => [
      'BEGIN:VEVENT',
      `UID:${code.toLowerCase()}-${day}-${index}@paybatch`,
      'DTSTAMP:20260101T000000Z',
      `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
      `SUMMARY:${escaped(name)}`,
      ...(isExpected ? ['STATUS:TENTATIVE'] : []),
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}
