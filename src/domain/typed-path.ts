/** How files and other arguments are typed in a shell. */

/** Characters that a shell interprets even within double quotes. */
const SPOKEN = /[$`"!]/;

/** Returns a path, or another argument, as it is typed: in quotes if necessary. */
export function typedPath(path: string): string {
  if (SPOKEN.test(path)) return `'${path.replaceAll("'", "'\\''")}'`;
  return /[\s()&';|<>*?#]/.test(path) ? `"${path}"` : path;
}

/** Returns a sheet as it is typed, with its worksheet if that has to be named. */
export const typedSheet = (path: string, worksheet?: string): string =>
  worksheet === undefined ? typedPath(path) : `${typedPath(path)} --worksheet ${typedPath(worksheet)}`;
