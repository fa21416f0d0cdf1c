/** The library of all numbering plans, loaded when a number first asks for it: with its tables it takes as long as a small sheet. */
import { createRequire } from 'node:module';
import type { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

interface PhoneLibrary {
  readonly isSupportedCountry: typeof isSupportedCountry;
  readonly parsePhoneNumberFromString: typeof parsePhoneNumberFromString;
}

let loaded: PhoneLibrary | undefined;

/** The library, the same each time. */
export function phoneLibrary(): PhoneLibrary {
  // An import would have to be waited for, and a number is read within its row.
  loaded ??= createRequire(import.meta.url)('libphonenumber-js/max') as PhoneLibrary; // its own types
  return loaded;
}
