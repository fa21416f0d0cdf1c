/** A string or number that only its owning file may make: `Brand<string, 'OrderId'>` is not any string. */
export type Brand<Base, Name extends string> = Base & { readonly __brand: Name };
