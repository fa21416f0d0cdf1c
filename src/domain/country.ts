/** Countries by their code, as configurations name them, and by their name, as services list them. */

/** What goes without saying in a country that is served, until somebody says otherwise. */
export interface HomeCountry {
  /** ISO 4217. */
  readonly currency: string;
  /** Of the IANA list. */
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

/** What goes without saying there; undefined for a country that is not among those that are served. */
export const homeCountryOf = (code: string): HomeCountry | undefined =>
  Object.hasOwn(homeCountries, code) ? homeCountries[code] : undefined;

const homeTimezones: ReadonlySet<string> = new Set(Object.values(homeCountries).map(({ timezone }) => timezone));

/** Whether this is the time zone of a country that is served. */
export const isHomeTimezone = (name: string): boolean => homeTimezones.has(name);

/** Made when a name is first asked for: it takes megabytes, and most runs ask for none. */
let names: Intl.DisplayNames | undefined;

/** The English name of a country by its ISO 3166 alpha-2 code; undefined when there is no such country. */
export function countryName(code: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code) || code === 'ZZ') return undefined;
  names ??= new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  return names.of(code);
}

/** Whether a service means this country by what it writes: its code or its name. A name that is only part of another is not it. */
export function isCountryCalled(code: string, written: string): boolean {
  const text = written.trim().toLowerCase();
  return text === code.toLowerCase() || text === countryName(code)?.toLowerCase();
}
