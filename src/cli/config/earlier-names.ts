/** Settings by the names that they had before. A file that says both is left as it is: one of them is then a mistake. */
const earlierNames: Readonly<Record<string, string>> = { identifiedAs: 'idNamespace' };

/** What a file says, under the names of today. */
export function withNamesOfToday(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const today = Object.entries(given).map(([name, value]) => {
    const now = earlierNames[name];
    return [now !== undefined && !(now in given) ? now : name, value] as const;
  });
  return Object.fromEntries(today);
}
