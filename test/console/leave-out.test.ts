/** Rows that are left out on the page Check: in a copy, with a reason, and back. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { startConsole, type Visitor } from '../support/desk/console-desk.ts';
import { csvOf, people, resultsIn } from '../support/desk/payroll-sheet.ts';
import { formOn, overOn, seenText } from './page-text.ts';

const visit = async (desk: Desk): Promise<Visitor> => (await startConsole(desk)).enter();

/** What the form on a page carries of the sheet as it was seen. */
const seenOn = (text: string): string => /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? '';

const queryOf = (location: unknown): string => String(location).split('?')[1] ?? '';

async function deskWithSheet(): Promise<Desk> {
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(people(5).map((line, at) => (at === 3 ? { ...line, phone: '12' } : line))));
  return desk;
}

/** Leaves rows of a sheet out as its page does, and gives the address of the copy. */
async function leave(visitor: Visitor, query: Record<string, string>, rows: readonly number[]): Promise<string> {
  const page = await visitor.ask(`check?${new URLSearchParams(query)}`);
  const { status, headers } = await visitor.send(
    'check/leave-out',
    { ...query, seen: seenOn(page.text), reason: 'contract has ended' },
    { lists: { row: rows.map(String) } },
  );
  expect(status).toBe(303);
  return queryOf(headers.location);
}

describe('a row that is left out on a page', () => {
  test('is held in a copy with its reason, needs no correction any more, and the file stays as it is', async () => {
    const desk = await deskWithSheet();
    const before = await readFile(desk.path('pay.csv'));
    const visitor = await visit(desk);
    const copy = await leave(visitor, { file: 'pay.csv' }, [2, 5]);
    expect(copy).toMatch(/^upload=[\w-]{16}$/);
    const { text } = await visitor.ask(`check?${copy}`);
    expect(text).toContain('Ready to pay: no problems were found.');
    expect(text.match(/Undo: pay row \d+/g)).toEqual(['Undo: pay row 2', 'Undo: pay row 5']);
    expect(text).toContain('contract has ended');
    expect(await readFile(desk.path('pay.csv'))).toEqual(before);
  });

  test('is left out when the copy is paid from its page, and the results say why', async () => {
    const desk = await deskWithSheet();
    const visitor = await visit(desk);
    const copy = await leave(visitor, { file: 'pay.csv' }, [2, 5]);
    const form = formOn((await visitor.ask(`statement?${copy}`)).text, 'pay');
    expect(await overOn(visitor, await visitor.send('pay', form))).toContain('3 of 3 finished');
    const { end } = await desk.emit(['report']);
    expect(end.rows).toMatchObject({ completed: 3, leftOut: 2, total: 5 });
    const [first] = await resultsIn(end.files[0]?.path ?? '');
    expect(first?.['Outcome']).toBe('Left out');
    expect(first?.['Reason in plain words']).toContain('contract has ended');
  });

  test('is paid after all when that is taken back, in the same copy, and others stay out', async () => {
    const visitor = await visit(await deskWithSheet());
    const copy = await leave(visitor, { file: 'pay.csv' }, [2, 5]);
    const upload = copy.replace('upload=', '');
    const seen = seenOn((await visitor.ask(`check?${copy}`)).text);
    const { status, headers } = await visitor.send('check/release', { upload, seen, row: '2' });
    expect([status, queryOf(headers.location)]).toEqual([303, copy]);
    const { text } = await visitor.ask(`check?${copy}`);
    expect(text.match(/Undo: pay row \d+/g)).toEqual(['Undo: pay row 5']);
    expect(text).toContain('Left out on purpose: 1 row');
  });

  test('leaves the other rows of a marked copy as they were', async () => {
    const desk = await deskWithSheet();
    await desk.say(['validate', 'pay.csv']);
    const marked = await readFile(desk.path('pay.checked.csv'), 'utf8');
    await desk.write('corrected.csv', marked.replace(/,12,/, ',0712345678,'));
    const visitor = await visit(desk);
    const copy = await leave(visitor, { file: 'corrected.csv' }, [2]);
    expect((await visitor.ask(`check?${copy}`)).text).toContain('Ready to pay: no problems were found.');
  });

  test('adds to what was left out before', async () => {
    const visitor = await visit(await deskWithSheet());
    const copy = await leave(visitor, { file: 'pay.csv' }, [5]);
    expect(await leave(visitor, { upload: copy.replace('upload=', '') }, [3])).toBe(copy);
    const { text } = await visitor.ask(`check?${copy}`);
    expect(text.match(/Undo: pay row \d+/g)).toEqual(['Undo: pay row 3', 'Undo: pay row 5']);
  });

  test('of a workbook is held in a workbook', async () => {
    const desk = await openDesk();
    await desk.takeSamples();
    const visitor = await visit(desk);
    const copy = await leave(visitor, { file: 'payroll.xlsx' }, [6]);
    const { text } = await visitor.ask(`check?${copy}`);
    expect(text).toContain('Check of payroll.checked.xlsx');
    expect(text).toContain('Undo: pay row 6');
    expect((await visitor.ask(`statement?${copy}`)).text).toContain('Rehearse 49 payments');
  });
});

describe('nothing is left out', () => {
  test('by a page that had seen the sheet before somebody changed it', async () => {
    const desk = await deskWithSheet();
    const visitor = await visit(desk);
    const seen = seenOn((await visitor.ask('check?file=pay.csv')).text);
    await desk.write('pay.csv', csvOf(people(7)));
    const { status, text } = await visitor.send('check/leave-out', { file: 'pay.csv', seen, row: '2', reason: 'left' });
    expect(status).toBe(409);
    expect(text).toContain('The sheet was changed.');
  });

  test('by two clicks at once of which one has seen an older copy', async () => {
    const visitor = await visit(await deskWithSheet());
    const copy = await leave(visitor, { file: 'pay.csv' }, [5]);
    const upload = copy.replace('upload=', '');
    const seen = seenOn((await visitor.ask(`check?${copy}`)).text);
    const answers = await Promise.all(
      ['2', '3'].map((row) => visitor.send('check/leave-out', { upload, seen, row, reason: 'has left' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([303, 409]);
  });

  test.each([
    ['without a reason', { row: '2', reason: ' ' }, 'No reason was given'],
    ['for a word that may mean the opposite', { row: '2', reason: 'pay' }, 'is not a reason for a hold'],
    ['without a tick', { reason: 'has left' }, 'No row was ticked'],
    ['for a row that the sheet does not have', { row: '99', reason: 'has left' }, 'would not leave out row 99'],
    ['for the headings', { row: '1', reason: 'has left' }, 'would not leave out row 1'],
  ])('%s', async (_, given, says) => {
    const visitor = await visit(await deskWithSheet());
    const seen = seenOn((await visitor.ask('check?file=pay.csv')).text);
    const { status, text } = await visitor.send('check/leave-out', { file: 'pay.csv', seen, ...given });
    expect(status).toBe(400);
    expect(text).toContain(says);
  });

  test('where a row is wider than its headings, because one more column would hide that', async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', `${csvOf(people(3))}\nA,B,C,D,E,F,G,H,I,J,K,L\n`);
    const visitor = await visit(desk);
    const seen = seenOn((await visitor.ask('check?file=pay.csv')).text);
    const { status, text } = await visitor.send('check/leave-out', { file: 'pay.csv', seen, row: '2', reason: 'left' });
    expect(status).toBe(400);
    expect(text).toContain('more or fewer fields than the headings');
  });

  test('that the sheet itself holds is released by no page', async () => {
    const desk = await openDesk();
    await desk.write(
      'pay.csv',
      'Name,Phone,Amount,Hold\nJane,0712345655,5000,has left\nTom,0712345755,6000,\nAnn,0712345855,7000,\n',
    );
    const visitor = await visit(desk);
    const copy = await leave(visitor, { file: 'pay.csv' }, [3]);
    const page = await visitor.ask(`check?${copy}`);
    expect(page.text.match(/Undo: pay row \d+/g)).toEqual(['Undo: pay row 3']);
    const upload = copy.replace('upload=', '');
    const { status } = await visitor.send('check/release', { upload, seen: seenOn(page.text), row: '2' });
    expect(status).toBe(400);
  });
});

test('what was decided about headings holds for the copy too', async () => {
  const desk = await openDesk();
  await desk.write('two.csv', 'name,phone,Salary,Payable\nJane,0712345655,5000,4000\nTom,0712345755,6000,5000\n');
  const visitor = await visit(desk);
  await visitor.send('check/heading', { file: 'two.csv', heading: 'D1' });
  const copy = await leave(visitor, { file: 'two.csv' }, [3]);
  const { text } = await visitor.ask(`check?${copy}`);
  expect(text).toContain('Ready to pay');
  expect(text).toContain('KES 4,000.00');
});

describe('no command is shown that would pay another file:', () => {
  /** What the pages about a sheet propose to type, in code or in a sentence. */
  async function commandsOf(visitor: Visitor, query: string): Promise<readonly string[]> {
    const pages = await Promise.all(['check', 'statement', 'plan/new'].map((page) => visitor.ask(`${page}?${query}`)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
    return pages.flatMap(({ text }) => text.match(/paybatch (?:validate|run|plan|map)\b[^<`\n]*/g) ?? []);
  }

  test('a copy has the name of the sheet whose rows it leaves out, so only a download leads to a terminal', async () => {
    const desk = await deskWithSheet();
    const visitor = await visit(desk);
    expect(await commandsOf(visitor, 'file=pay.csv')).toContain('paybatch validate pay.csv');
    const copy = await leave(visitor, { file: 'pay.csv' }, [2, 5]);
    expect(await commandsOf(visitor, copy)).toEqual([]);
    const page = (await visitor.ask(`statement?${copy}`)).text;
    expect(page).toContain('Only this console has this sheet, so no command can name it.');
    expect(page).toMatch(/href="[^"]*check\/sheet\?upload=[\w-]{16}" download/);
    const { text, headers } = await visitor.ask(`check/sheet?${copy}`);
    expect(headers['content-disposition']).toContain('attachment');
    expect(text.match(/contract has ended/g)).toHaveLength(2);
  });

  test('a dropped sheet may have the name of another one of the folder', async () => {
    const desk = await deskWithSheet();
    const visitor = await visit(desk);
    const twice = people(3).map(({ reference: _, ...line }) => line);
    const dropped = csvOf([...twice, ...twice.slice(0, 1)]);
    const { headers } = await visitor.send('check/upload', { sheet: new File([dropped], 'pay.csv') });
    const query = queryOf(headers.location);
    expect((await commandsOf(visitor, query)).filter((command) => command.includes('pay.csv'))).toEqual([]);
    expect((await visitor.ask(`check/sheet?${query}`)).text).toBe(dropped);
  });
});

test('a sheet and a worksheet whose names need quotes are quoted once', async () => {
  const desk = await openDesk();
  await desk.write("net's pay day.csv", csvOf(people(2)));
  const visitor = await visit(desk);
  const query = new URLSearchParams({ file: "net's pay day.csv", worksheet: 'May 2026' });
  const { text } = await visitor.ask(`plan/new?${query}`);
  expect(seenText(text)).toContain(`paybatch plan "net's pay day.csv" --worksheet "May 2026" --batch net-s-pay-day-`);
});
