/** How files and other arguments are typed in a shell. */

/** Parts of a shell's own language, which double quotes do not silence. */
const SPOKEN = /[$`"!]/;

/** A path, or another argument, as it is typed: in quotes where it has to be. */
export function typedPath(path: string): string {
  if (SPOKEN.test(path)) return `'${path.replaceAll("'", "'\\''")}'`;
  return /[\s()&';|<>*?#]/.test(path) ? `"${path}"` : path;
}

/** A sheet, with the worksheet that has to be named. */
export const typedSheet = (path: string, worksheet?: string): string =>
  worksheet === undefined ? typedPath(path) : `${typedPath(path)} --worksheet ${typedPath(worksheet)}`;
