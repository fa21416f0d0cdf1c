import { mkdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openDesk } from '../../support/desk/command-line.ts';
import { fastClock } from '../../support/fast-clock.ts';

const clock = fastClock();

const ROWS = 'E1,Jane Wanjiku,0712345678,100\n';

describe('a file that is not the sheet', () => {
  test('is told with the name that was meant', async () => {
    const desk = await openDesk(clock);
    await desk.write('november.csv', ROWS);
    await desk.write('november.SANDBOX-1.results.csv', ROWS);
    expect((await desk.say(['run', 'novmber.csv'])).stderr).toContain('Did you mean november.csv?');
    expect((await desk.say(['run', 'x.csv'])).stderr).toContain('Check the name; the folder is ');
    expect((await desk.say(['run', 'there/november.csv'])).stderr).toContain('There is no folder ');
  });

  test('because it is a folder: the sheets inside are named', async () => {
    const desk = await openDesk(clock);
    await mkdir(desk.path('pay', 'empty'), { recursive: true });
    await desk.write('pay/b.csv', ROWS);
    await desk.write('pay/a.xlsx', ROWS);
    await desk.write('pay/a.results.xlsx', ROWS);
    expect((await desk.say(['run', 'pay'])).stderr).toContain('Name the file inside it: a.xlsx, b.csv.');
    expect((await desk.say(['run', 'pay/empty'])).stderr).toContain('It holds no .xlsx and no .csv file.');
  });
});

describe('headings that nobody knows', () => {
  test('are told back, with the question and the command that answers it', async () => {
    const desk = await openDesk(clock);
    await desk.write('weird sheet.csv', `Ref,Who,Where,How much\n${ROWS}`);
    const { exit, stderr } = await desk.say(['validate', 'weird sheet.csv', '--no-copy']);
    expect(exit).toBe(3);
    expect(stderr).toContain('Row 1 has Ref, Who, Where, How much. Which is the Amount?');
    expect(stderr).toContain('paybatch map "weird sheet.csv", or');
  });

  test('are not made of rows that hold values', async () => {
    const desk = await openDesk(clock);
    await desk.write('bare.csv', ROWS);
    const { stderr } = await desk.say(['validate', 'bare.csv', '--no-copy']);
    expect(stderr).toContain('PB-HEADER-MISSING');
    expect(stderr).not.toContain('Jane');
  });
});

test('a number of another country is told with the country of the account, in every language', async () => {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', 'Name,Phone,Amount\nJane,+256772123456,5\n');
  const said = async (lang: string): Promise<string> =>
    (await desk.say(['validate', 'pay.csv', '--no-copy', '--lang', lang])).stderr;
  expect(await said('en')).toContain('"+256772123456" is not a number of Kenya, where this account pays.');
  expect(await said('fr')).toContain('du pays où ce compte paie (Kenya)');
  expect(await said('sw')).toContain('si namba ya Kenya');
});
