/** A path, or another argument, as it is typed in a shell: in quotes where it has to be. */
export const typedPath = (path: string): string => (/[\s()&'";|<>*?#]/.test(path) ? `"${path}"` : path);
