import { describe, expect, test } from 'vitest';
import { pageAbout, pageTopics } from '../../../src/cli/help/help.ts';
import { pageText, sectionOf } from '../../../src/cli/help/page-text.ts';

const COLUMNS = 80;

describe('a page in a terminal', () => {
  test('is its text without marks: headings, lists, links, pictures and comments', () => {
    const page = [
      '# Pay day',
      '',
      '<!-- made: x -->',
      'Look at **it**, in [Audit](audit.md#who) or',
      'on [the web](https://pay.example/x).',
      '',
      '![A bar.](pictures/x.svg)',
      '',
      '- one `row`',
      '  of a list',
      '- two',
      '',
      '```sh',
      'paybatch run',
      '```',
    ].join('\n');
    expect(pageText(page)).toEqual([
      'PAY DAY',
      '',
      'Look at it, in Audit (`paybatch help audit`) or on the web',
      '(https://pay.example/x).',
      '',
      '[Picture: A bar.]',
      '',
      '- one `row` of a list',
      '- two',
      '',
      '  paybatch run',
    ]);
  });

  test('has a narrow table side by side, its last column folded, and a wide one below one another', () => {
    const table = (cell: string) => ['| Exit | Says |', '| ---- | ---- |', `| 7    | ${cell} |`].join('\n');
    expect(pageText(table('a \\| b'))).toEqual(['Exit  Says', '7     a | b']);
    const long = 'word '.repeat(30).trim();
    const folded = pageText(table(long));
    expect(folded.slice(0, 3)).toEqual([
      'Exit  Says',
      expect.stringMatching(/^7 {5}word/),
      expect.stringMatching(/^ {6}word/),
    ]);
    const wide = pageText(['| What | Says | Do |', '| --- | --- | --- |', `| x | ${long} | ${long} |`].join('\n'));
    expect(wide.slice(0, 2)).toEqual(['x', expect.stringMatching(/^ {4}Says: word word/)]);
    expect([...folded, ...wide].filter((line) => line.length > COLUMNS)).toEqual([]);
  });

  test('tears no command apart', () => {
    const command = '`paybatch run november.xlsx --batch salaries-2026-11`';
    expect(pageText(`Look at the sheet once more, and then pay it with ${command} and wait.`)).toEqual([
      'Look at the sheet once more, and then pay it with',
      `${command} and wait.`,
    ]);
  });

  test('may be one section, with those below it', () => {
    const page = '## One\n\na\n\n### Below\n\nb\n\n## Two\n\nc';
    expect(sectionOf(page, 'One')).toBe('## One\n\na\n\n### Below\n\nb\n');
    expect(sectionOf(page, 'Three')).toBeUndefined();
  });
});

describe('what is shipped', () => {
  test('is all found by its topic, and fits a terminal but for what is copied', () => {
    expect(pageTopics()).toEqual(
      expect.arrayContaining([
        'docs',
        'pay-day',
        'operations',
        'audit',
        'settings',
        'scheduling',
        'in-doubt',
        'backup',
      ]),
    );
    for (const topic of pageTopics()) {
      const lines = pageAbout(topic);
      expect(lines?.length, topic).toBeGreaterThan(3);
      expect(
        lines?.filter((line) => line.length > COLUMNS && !/^ {2}|`|\//.test(line)),
        topic,
      ).toEqual([]);
    }
  });

  test('is not found where nothing is about it', () => {
    expect(pageAbout('pay')).toBeUndefined();
    expect(pageAbout('../README')).toBeUndefined();
  });
});
