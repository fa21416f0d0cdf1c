import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Journal } from '../../src/sandbox/books/journal.ts';
import { temporaryFolder } from './practice.ts';

const written = (journal: Journal): Promise<boolean> => new Promise((resolve) => journal.whenWritten(resolve));

describe('the journal', () => {
  test('calls back when the lines are in the file and not before', async () => {
    const folder = await temporaryFolder();
    const journal = Journal.open(folder);
    const calls: (readonly [boolean, string])[] = [];
    const content = (): string => readFileSync(join(folder, 'books.ndjson'), 'utf8');
    journal.append('one');
    journal.whenWritten((ok) => calls.push([ok, content()]));
    journal.append('two');
    expect([calls.length, content()]).toEqual([0, '']);
    expect(await written(journal)).toBe(true);
    expect(calls).toEqual([[true, 'one\ntwo\n']]);
    journal.close();
  });

  test('calls back at once when nothing is missing', async () => {
    const journal = Journal.open(await temporaryFolder());
    let called = false;
    journal.whenWritten((ok) => {
      called = ok;
    });
    expect(called).toBe(true);
    journal.close();
  });

  test('keeps the lines in order over many openings', async () => {
    const folder = await temporaryFolder();
    for (const line of ['a', 'ä', 'c']) {
      const journal = Journal.open(folder);
      expect([...journal.replay()].length).toBe(['a', 'ä', 'c'].indexOf(line));
      journal.append(line);
      journal.close();
    }
    const journal = Journal.open(folder);
    expect([...journal.replay()]).toEqual(['a', 'ä', 'c']);
    journal.close();
  });

  test('says that nothing is written once it is closed', async () => {
    const journal = Journal.open(await temporaryFolder());
    journal.close();
    journal.append('late');
    expect(await written(journal)).toBe(false);
  });

  test('without a folder keeps nothing and holds nobody up', async () => {
    const journal = Journal.open(undefined);
    journal.append('a');
    expect([await written(journal), [...journal.replay()]]).toEqual([true, []]);
    journal.close();
  });
});
