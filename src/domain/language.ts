/** The languages in which people are told what is wrong with their sheet, and in which pages speak. Machine output is English, always. */
export const languages = ['en', 'sw', 'fr'] as const;

/** ISO 639-1 code. */
export type Language = (typeof languages)[number];

/** A language by its code, in any case; undefined for one that paybatch does not speak. */
export const languageOf = (code: string): Language | undefined =>
  languages.find((language) => language === code.trim().toLowerCase());

/** The language of a locale as POSIX writes it (`sw_KE.UTF-8`); undefined for one that paybatch does not speak. */
export const languageOfLocale = (locale: string): Language | undefined =>
  languageOf(/^[a-z]+/i.exec(locale)?.[0] ?? '');
