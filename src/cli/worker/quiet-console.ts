/** The streams belong to the terminal and to the events. A package that writes to the console by itself writes into the log instead. */
import { Console } from 'node:console';
import { Writable } from 'node:stream';

/** Gives everything that is written by `console` to `log`, a line each. Gives what puts the console back. */
export function quietConsole(log: (line: string) => void): () => void {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, written) {
      log(chunk.toString('utf8').trimEnd());
      written();
    },
  });
  const before = globalThis.console;
  globalThis.console = new Console({ stdout: stream, stderr: stream });
  return () => {
    globalThis.console = before;
  };
}
