/**
 * Translations by the English text. `#` stands for a number, an amount, a day or a time, in this order; `{}` for words of others, which
 * only a text that is marked as told (`told`) may have.
 */
export type PageTexts = Readonly<Record<string, string>>;
