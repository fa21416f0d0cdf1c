/** Countries by code, as configurations name them, and by name, as services list them. */

/** Defaults for a country that is served, used unless a setting says otherwise. */
interface HomeCountry {
  /** ISO 4217. */
  readonly currency: string;
  /** IANA name. */
  readonly timezone: string;
}

const homeCountries: Readonly<Record<string, HomeCountry>> = {
  KE: { currency: 'KES', timezone: 'Africa/Nairobi' },
  UG: { currency: 'UGX', timezone: 'Africa/Kampala' },
  TZ: { currency: 'TZS', timezone: 'Africa/Dar_es_Salaam' },
  RW: { currency: 'RWF', timezone: 'Africa/Kigali' },
  ET: { currency: 'ETB', timezone: 'Africa/Addis_Ababa' },
};

/** Codes of the countries that are served, for messages. */
export const homeCountryCodes: readonly string[] = Object.keys(homeCountries);

/** Returns the defaults for a country; `undefined` if the country is not served. */
export const homeCountryOf = (code: string): HomeCountry | undefined =>
  Object.hasOwn(homeCountries, code) ? homeCountries[code] : undefined;

/** Returns the code of the country whose own currency this is; `undefined` for a currency of no country that is served. */
export const homeCountryWith = (currency: string): string | undefined =>
  homeCountryCodes.find((code) => homeCountries[code]?.currency === currency);

/** Created when the first name is asked for: it takes megabytes, and most runs ask for none. */
let names: Intl.DisplayNames | undefined;

/** Returns the English name of a country by its ISO 3166 alpha-2 code; `undefined` if there is no such country. */
export function countryName(code: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code) || code === 'ZZ') return undefined;
  names ??= new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  return names.of(code);
}

/**
 * Reports whether a text of the service means this country: its code or its name. A name that is only part of another
 * does not count.
 */
export function isCountryCalled(code: string, written: string): boolean {
  const text = written.trim().toLowerCase();
  return text === code.toLowerCase() || text === countryName(code)?.toLowerCase();
}
