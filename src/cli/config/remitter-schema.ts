/** Who pays, as orders say it. */
import { z } from 'zod';
import { longestOfRemitter } from '../../domain/lengths.ts';
import type { RemitterField } from '../../domain/settings.ts';
import { textUpTo } from './setting-values.ts';

/** A day of the calendar, in the one form that payments take. */
function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})\/(\d{2})\/(\d{2})$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const remitterText = (field: RemitterField) => textUpTo(longestOfRemitter[field]).optional();
const remitterDay = z.string().refine(isDay, 'a date as year/month/day').optional();

/** One of each field that settings can say; a payment carries them under these names. */
export const remitterFields = {
  name: remitterText('name').describe('Name'),
  phoneNumber: remitterText('phoneNumber').describe('Phone, international: +254700000000'),
  country: remitterText('country').describe('Country, two capital letters'),
  sourceOfFunds: remitterText('sourceOfFunds').describe('Where the money comes from'),
  principalActivity: remitterText('principalActivity').describe('What the organisation does'),
  address: remitterText('address').describe('Street and town'),
  idType: remitterText('idType').describe('Kind of document that proves who pays'),
  idNumber: remitterText('idNumber').describe('Its number'),
  idIssuePlace: remitterText('idIssuePlace').describe('Where it was issued'),
  idIssueDate: remitterDay.describe('When it was issued, as year/month/day'),
  idExpireDate: remitterDay.describe('When it expires, as year/month/day'),
  dateOfBirth: remitterDay.describe('Date of birth, as year/month/day'),
  nationality: remitterText('nationality').describe('Nationality, in a word: Kenyan'),
  email: remitterText('email').describe('Email address'),
  city: remitterText('city').describe('City'),
  postalCode: remitterText('postalCode').describe('Postal code'),
  state: remitterText('state').describe('County or state'),
  financialInstitution: remitterText('financialInstitution').describe('Bank of who pays'),
  institutionIdentifier: remitterText('institutionIdentifier').describe('Code of that bank'),
} satisfies Record<RemitterField, z.ZodType>;
