/** The pages in Swahili and French: what others wrote is not touched. That no page keeps English of ours is `languages.deep.test.ts`. */
import { expect, test } from 'vitest';
import { frenchPages } from '../../src/texts/fr-pages.ts';
import { inLanguage } from '../../src/texts/page-language.ts';
import { swahiliPages } from '../../src/texts/sw-pages.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { startConsole } from '../support/desk/console-desk.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';

test('what others wrote stays as they wrote it, though it is a text of ours', async () => {
  const desk = await openDesk();
  await desk.write(
    'names.csv',
    csvOf(people(3).map((line, row) => ({ ...line, name: ['Nothing.', 'Rows', 'Pay again?'][row] ?? '' }))),
  );
  await desk.emit(['run', 'names.csv']);
  for (const language of ['sw', 'fr']) {
    const visitor = await (await startConsole(desk, { flags: ['--lang', language] })).enter();
    const { text } = await visitor.ask('check?file=names.csv&show=all');
    for (const name of ['Nothing.', 'Rows', 'Pay again?']) expect(text).toContain(`<bdi>${name}</bdi>`);
    expect((await visitor.ask('history?search=rows')).text).toContain('<bdi>Rows</bdi>');
  }
});

test('both languages say the same texts, with the same values and commands', () => {
  expect(Object.keys(swahiliPages)).toEqual(Object.keys(frenchPages));
  const partsOf = (text: string): readonly string[] => (text.match(/#|\{\}|paybatch \w+/g) ?? []).toSorted();
  for (const table of [swahiliPages, frenchPages])
    for (const [english, said] of Object.entries(table))
      expect([english, partsOf(said)]).toEqual([english, partsOf(english)]);
});

test('a text that nobody has translated stays English, and is marked for those who have it read aloud', () => {
  expect(inLanguage('<p>Completely new &amp; unknown. Nothing is sent.</p>', 'fr')).toBe(
    '<p><span lang="en">Completely new &amp; unknown.</span> Rien n&#39;est envoyé.</p>',
  );
  expect(inLanguage('<p>Nothing is sent.</p>', 'en')).toBe('<p>Nothing is sent.</p>');
  expect(inLanguage('<select><option>Completely new</option></select><bdi>Nothing is sent.</bdi>', 'sw')).toBe(
    '<select><option>Completely new</option></select><bdi>Nothing is sent.</bdi>',
  );
});
