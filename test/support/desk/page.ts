/** Output streams that remember what was written, and a terminal on two of them. */
import { type Streams, Terminal } from '../../../src/cli/screens/terminal.ts';

const ESCAPE = '\u001b';

/** A stream that remembers what was written. */
export class Remembering {
  readonly isTTY: boolean;
  readonly columns: number;
  text = '';
  readonly #seen: ((text: string) => void) | undefined;

  constructor(isTTY: boolean, seen?: (text: string) => void, columns = 100) {
    this.isTTY = isTTY;
    this.columns = columns;
    this.#seen = seen;
  }

  write(text: string): boolean {
    this.text += text;
    this.#seen?.(text);
    return true;
  }
}

/** A terminal that nobody sees, in colours when it is said to be one, and what was written to it. */
export interface Page {
  readonly terminal: Terminal;
  /** Lines of the answer, and of the conversation, without the empty one at the end. */
  answers(): readonly string[];
  says(): readonly string[];
}

export function openPage(isTTY = false, columns?: number): Page {
  const [stdout, stderr] = [new Remembering(isTTY, undefined, columns), new Remembering(isTTY, undefined, columns)];
  const streams = { stdin: { isTTY }, stdout, stderr } as unknown as Streams; // as much as a terminal asks of them
  const linesOf = ({ text }: Remembering) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
  return {
    terminal: new Terminal(streams, {}, { color: isTTY, input: isTTY }),
    answers: () => linesOf(stdout),
    says: () => linesOf(stderr),
  };
}

const tones: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  36: 'cyan',
};

/** A line with its colours in words: `<red>ERROR</>`. */
export const toned = (line: string): string =>
  line.replaceAll(new RegExp(`${ESCAPE}\\[(\\d+)m`, 'g'), (_, code: string) =>
    tones[code] ? `<${tones[code]}>` : '</>',
  );
