import { expect, test } from 'vitest';
import { terminalSvg } from './terminal-svg.ts';

const of = (screen: string): readonly string[] =>
  terminalSvg(screen, { columns: 20, rows: 3, title: 'A <run>' })
    .split('\n')
    .filter((line) => line.includes('<text') || line.includes('<title') || line.includes('<rect x'));

test('words that are far apart keep their columns, whatever the reader does with blanks', () => {
  expect(of('Paid      KES 7')).toEqual([
    '<title>A &lt;run&gt;</title>',
    expect.stringMatching(/^<text x="16" y="30" textLength="33.6" .*>Paid<\/text>$/),
    expect.stringMatching(/^<text x="100" y="30" textLength="42" .*>KES 7<\/text>$/),
  ]);
});

test('colours and weights of the terminal are those of the picture, into the next line, until they end', () => {
  const [, failed = '', still = '', plain = ''] = of('\u001b[1;31mFailed\nstill\u001b[0m <&>');
  expect(failed).toMatch(/fill="#ff8b8b" font-weight="bold">Failed</);
  expect(still).toMatch(/y="48".*fill="#ff8b8b" font-weight="bold">still</);
  expect(plain).toMatch(/fill="#e6e6e6">&lt;&amp;&gt;</);
});

test('a cursor is a box, and what is below the screen is left out', () => {
  const lines = of('\u001b[7m \u001b[27m\n\n\nbelow');
  expect(lines).toEqual([expect.any(String), expect.stringMatching(/^<rect x="16" .*fill="#e6e6e6"\/>$/)]);
});
