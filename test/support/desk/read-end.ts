/** The last line of `--json`, as far as campaigns read it. */
export interface ToldEnd {
  readonly exit: number;
  readonly batch: string | null;
  readonly rows: Readonly<Record<string, number>>;
}

/** Reads the `end` event of a command's output; one that told none ended with -1. */
export function readEnd(stdout: string): ToldEnd {
  const line = stdout.split('\n').findLast((text) => text.includes('"type":"end"'));
  return line === undefined ? { exit: -1, batch: null, rows: {} } : (JSON.parse(line) as ToldEnd);
}
