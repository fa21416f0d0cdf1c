/**
 * Translations by the English text. Each `#` stands for a value: a number, an amount, a day or a time; values keep their
 * order. `{}` stands for words of others, which only a text from elsewhere (`prose`) may have.
 */
export type PageTexts = Readonly<Record<string, string>>;
