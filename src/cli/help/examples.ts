/** Examples below the help of a command. */

/** The help of commander is as wide where nobody sees a terminal. */
const COLUMNS = 80;
const INDENT = '  ';
/** What a shell reads on in the next line. */
const GOES_ON = ' \\';

/** The examples with their heading; a long one goes on in a next line before one of its options, as a shell takes it. */
export function examplesText(examples: readonly string[]): string {
  const lines = examples.flatMap(linesOf);
  return ['', examples.length > 1 ? 'Examples:' : 'Example:', ...lines].join('\n');
}

function linesOf(example: string): readonly string[] {
  const lines: string[] = [];
  let line = INDENT;
  for (const part of example.split(/(?= --)/)) {
    if (line.length + part.length + GOES_ON.length <= COLUMNS) {
      line += part;
      continue;
    }
    lines.push(line + GOES_ON);
    line = `${INDENT}${INDENT}${part.trimStart()}`;
  }
  return [...lines, line];
}
