/** The languages of issue texts and of pages. Machine output is always English. */
export const languages = ['en', 'sw', 'fr'] as const;

/** ISO 639-1 code. */
export type Language = (typeof languages)[number];

/** Returns the language of a code, in any case; `undefined` if paybatch does not have it. */
export const languageOf = (code: string): Language | undefined =>
  languages.find((language) => language === code.trim().toLowerCase());

/** Returns the language of a locale as POSIX writes it (`sw_KE.UTF-8`); `undefined` if paybatch does not have it. */
export const languageOfLocale = (locale: string): Language | undefined =>
  languageOf(/^[a-z]+/i.exec(locale)?.[0] ?? '');
