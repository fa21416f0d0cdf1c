/** Writes the calendars of public holidays that come with paybatch: `node test/support/programs/make-holidays.ts`. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { holidayCountries } from '../../../src/schedule/holidays.ts';
import { calendarOf } from '../holidays/public-holidays.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', '..', 'templates', 'holidays');

for (const code of holidayCountries) writeFileSync(path.join(FOLDER, `${code}.ics`), calendarOf(code));
