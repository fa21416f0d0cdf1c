import { describe, expect, test } from 'vitest';
import { wrapped } from '../../../src/cli/screens/wrapped-line.ts';

const [RED, PLAIN] = ['\u001b[31m', '\u001b[39m'];

describe('a line that is longer than the terminal is wide', () => {
  test.each([
    [
      'stands below its text, not below its label',
      'ERROR     The service refused the credentials. Nothing was written.',
      ['ERROR     The service refused the', '          credentials. Nothing was', '          written.'],
    ],
    [
      'may have two labels',
      "OK     Ledger's account  It belongs to none yet.",
      ["OK     Ledger's account  It belongs to", '                         none yet.'],
    ],
    [
      'keeps its own blanks before it',
      '    to whom it may concern, with the best wishes',
      ['    to whom it may concern, with the', '    best wishes'],
    ],
    [
      'is broken nowhere in a command, which stands alone where it has to',
      'Go on with it: paybatch run "my sheet.xlsx" --batch november   Or leave it.',
      ['Go on with it:', 'paybatch run "my sheet.xlsx" --batch november', 'Or leave it.'],
    ],
    [
      'goes on behind the sentence of a command',
      'Keep a secret there: paybatch login. Nothing was sent.',
      ['Keep a secret there: paybatch login.', 'Nothing was sent.'],
    ],
    [
      'counts no colour as room, and keeps it',
      `${RED}ERROR${PLAIN}     The service refused the credentials.`,
      [`${RED}ERROR${PLAIN}     The service refused the`, '          credentials.'],
    ],
    ['has a path whole', `Results   /${'long/'.repeat(9)}x.xlsx`, [`Results   /${'long/'.repeat(9)}x.xlsx`]],
  ])('%s', (_, line, lines) => {
    expect(wrapped(line, 40)).toEqual(lines);
  });

  test('loses no word, whatever its width', () => {
    const line =
      'Batch     This ledger is new: paybatch help new   Nobody is paid twice, and (paybatch find) shows it.';
    const words = (text: string): readonly string[] => text.split(/\s+/);
    for (let columns = 20; columns < 130; columns++) {
      expect(words(wrapped(line, columns).join('\n')), `${columns} columns`).toEqual(words(line));
    }
  });
});
