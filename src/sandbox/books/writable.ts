/** The form in which the books change what everybody else only reads. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
