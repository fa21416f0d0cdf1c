import { describe, expect, test } from 'vitest';
import { issueMessage } from '../../../src/texts/issue-message.ts';
import { faultOf, opened, rowsOf, textsOf } from '../../support/sheets/sheet-on-disk.ts';

const mark = '\ufeff';

/** The texts of a CSV file by address. */
const texts = (bytes: string | Uint8Array, options = {}) => textsOf('a.csv', bytes, options);
const refusal = async (bytes: string | Uint8Array, options = {}) => (await faultOf('a.csv', bytes, options)).message;

describe('the text of a field', () => {
  test('is exact, is always text, and has the address of a spreadsheet', async () => {
    expect(await rowsOf('a.csv', 'name,phone\n Jane ,0712345678\n')).toEqual([
      {
        number: 1,
        hidden: false,
        issues: [],
        cells: [
          { column: 1, address: 'A1', type: 'text', text: 'name' },
          { column: 2, address: 'B1', type: 'text', text: 'phone' },
        ],
      },
      {
        number: 2,
        hidden: false,
        issues: [],
        cells: [
          { column: 1, address: 'A2', type: 'text', text: ' Jane ' },
          { column: 2, address: 'B2', type: 'text', text: '0712345678' },
        ],
      },
    ]);
  });

  test.each<[string, string, Record<string, string>]>([
    ['a quoted delimiter', 'a,b\n"x,y",z', { A2: 'x,y', B2: 'z' }],
    ['a doubled quote', 'a,b\n"5"" pipe",z', { A2: '5" pipe', B2: 'z' }],
    ['a quoted line break', 'a,b\n"x\r\ny",z\nq,r', { A2: 'x\r\ny', B2: 'z', A3: 'q', B3: 'r' }],
    ['a tab inside quotes', 'a,b\n"x\ty",z', { A2: 'x\ty', B2: 'z' }],
    ['an empty quoted field', 'a,b,c\n"","",z', { C2: 'z' }],
    ['lines ending in CR', 'a,b\rx,y\rq,r', { A2: 'x', B2: 'y', A3: 'q', B3: 'r' }],
    ['lines ending in CRLF', 'a,b\r\nx,y\r\n', { A2: 'x', B2: 'y' }],
    [
      'lines ending each in their own way',
      'a,b\rx,y\nq,r\r\ns,t',
      { A2: 'x', B2: 'y', A3: 'q', B3: 'r', A4: 's', B4: 't' },
    ],
    ['blank lines, which count as rows', 'a,b\n\n\nx,y\n,\n \nq,r', { A4: 'x', B4: 'y', A7: 'q', B7: 'r' }],
    ['a number that a spreadsheet must not touch', 'a,b\n="0712345678",="1"\n', { A2: '0712345678', B2: '1' }],
    ['the same in quotes', 'a,b\n"=""0712""",x\n', { A2: '0712', B2: 'x' }],
    ['a field that only looks like it', 'a,b,c\n"x,=",",",y\n', { A2: 'x,=', B2: ',', C2: 'y' }],
    ['a formula, which is text', 'a,b\n"=SUM(1,2)",=1+1\n', { A2: '=SUM(1,2)', B2: '=1+1' }],
    ['names of object properties', 'a,b\n__proto__,constructor\n', { A2: '__proto__', B2: 'constructor' }],
    ['control characters, which the columns judge', 'a,b\nx\u0007y,\u200bz\n', { A2: 'x\u0007y', B2: '\u200bz' }],
  ])('%s is read', async (_, text, expected) => {
    const below = Object.entries(await texts(text)).filter(([address]) => !/^[A-Z]1$/.test(address));
    expect(Object.fromEntries(below)).toEqual(expected);
  });

  test('reads the same when lines and characters lie across the borders of reading', async () => {
    const row = (index: number) => `${index},"Wanjikũ ""😀"" ${'é'.repeat(index % 97)}\r\n",="07${index}"\r\n`;
    const rows = await rowsOf(
      'a.csv',
      `n,name,phone\r\n${Array.from({ length: 5_000 }, (_, index) => row(index)).join('')}`,
    );
    expect(rows).toHaveLength(5_001);
    for (const [index, { number, cells, issues }] of rows.slice(1).entries()) {
      const fields = [`${index}`, `Wanjikũ "😀" ${'é'.repeat(index % 97)}\r\n`, `07${index}`];
      expect([number, issues, ...cells.map(({ text }) => text)]).toEqual([index + 2, [], ...fields]);
    }
  });
});

describe('encodings', () => {
  const text = 'name,town\r\nWanjikũ,Thíka\r\n';
  const read = { A1: 'name', B1: 'town', A2: 'Wanjikũ', B2: 'Thíka' };

  test.each<[string, Uint8Array]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(mark + text)],
    ['UTF-16 LE with a mark', Buffer.from(mark + text, 'utf16le')],
    ['UTF-16 BE with a mark', Buffer.from(mark + text, 'utf16le').swap16()],
  ])('%s is read', async (_, bytes) => expect(await texts(bytes)).toEqual(read));

  test('Windows-1252 is read only when it is named, and the notice says so', async () => {
    const bytes = Buffer.from('name,town\nJos\xe9,x\n', 'latin1');
    expect(await refusal(bytes)).toBe('Line 2 is not UTF-8: byte 14 of the file is E9.');
    expect(await texts(bytes, { encoding: 'windows-1252' })).toMatchObject({ A2: 'José' });
    expect(await opened('a.csv', bytes, { encoding: 'latin1' })).toMatchObject({
      notices: ['The file was read as windows-1252.'],
    });
  });

  test('an invalid byte far inside is named by its line and place in the file', async () => {
    const start = Buffer.from(`${mark}a,b\r\n${'x,é\r\n'.repeat(30_000)}`);
    const bytes = Buffer.concat([start, Buffer.from('x,'), Buffer.from([0xc3, 0x28]), Buffer.from('\r\n')]);
    expect(await refusal(bytes)).toBe(`Line 30002 is not UTF-8: byte ${start.length + 3} of the file is C3.`);
  });

  test.each<[string, Uint8Array, RegExp]>([
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le'), /Line 1 holds a zero byte/],
    ['a zero byte', Buffer.from('a,b\nx,\0\n'), /Line 2 holds a zero byte/],
    [
      'half a character at the end',
      Buffer.concat([Buffer.from('a,b\nx,'), Buffer.from([0xe2, 0x82])]),
      /Line 2 is not UTF-8/,
    ],
    [
      'half a character of UTF-16',
      Buffer.concat([Buffer.from(mark + text, 'utf16le'), Buffer.from([0x00, 0xd8])]),
      /not UTF-16LE/,
    ],
  ])('%s refuses the file', async (_, bytes, says) => expect(await refusal(bytes)).toMatch(says));

  test('an encoding that does not exist is a mistake of usage', async () => {
    expect(await faultOf('a.csv', 'a,b\n', { encoding: 'klingon' })).toMatchObject({ code: 'usage', exit: 2 });
  });
});

describe('delimiters', () => {
  test.each<[string, string, string]>([
    ['commas', 'name,phone,amount\nJane,1,2\n', 'amount'],
    ['semicolons with decimal commas', 'name;phone;amount\nJane;1;2,50\nJoe;1;3,50\n', 'amount'],
    ['tabs', 'name\tphone\tamount\nJane, A\t1\t2\n', 'amount'],
    ['bars', 'name|phone|amount\nJane|1|2\n', 'amount'],
    ['headings without rows', 'name;phone;amount', 'amount'],
    ['headings with other delimiters in quotes', '"name, first";phone;"amount|KES"\nx;1;2\n', 'amount|KES'],
    ['notes with other delimiters', 'name,phone,amount,note\nJane,1,2,a;b;c;d;e\nJoe,1,2,a;b;c;d;e\n', 'amount'],
  ])('%s are recognised', async (_, text, third) => expect(await texts(text)).toMatchObject({ C1: third }));

  test('titles above the headings do not decide', async () => {
    const text = 'Acme, Ltd\nPayroll, November\n\nname;phone;amount\nJane;1;2,50\n';
    expect(await texts(text)).toMatchObject({ A1: 'Acme, Ltd', A4: 'name', C4: 'amount', C5: '2,50' });
  });

  test('headings that can be read in two ways are asked about', async () => {
    const text = 'name,first;phone\nJane,x;1\n';
    expect(await faultOf('a.csv', text)).toMatchObject({
      message: 'It is not clear what separates the columns: , or ;.',
      remedy: expect.stringContaining('--delimiter'),
    });
    expect(await texts(text, { delimiter: ';' })).toMatchObject({ A1: 'name,first', B1: 'phone' });
    expect(await texts(text.replaceAll(';', '\t'), { delimiter: 'TAB' })).toMatchObject({ A1: 'name,first' });
  });

  test('the first line of Excel that names the separator is no row', async () => {
    const text = `${mark}sep=;\r\nname;phone\r\nJane, A;="07"\r\n`;
    expect(await texts(text)).toEqual({ A1: 'name', B1: 'phone', A2: 'Jane, A', B2: '07' });
    expect((await opened('a.csv', text)).notices).toEqual(['The first line, sep=;, is not a row.']);
  });

  test.each(['"', 'ab', '', '\n'])('%j cannot be a delimiter', async (delimiter) => {
    expect(await faultOf('a.csv', 'a,b\n', { delimiter })).toMatchObject({ code: 'usage' });
  });
});

describe('quotes in the wrong place', () => {
  test.each<[string, string, string]>([
    ['after text', 'a,b\nx,y\n5" pipe,z\n', 'Line 3 has a quote in the middle of a field.'],
    ['before text', 'a,b\n"x"y,z\n', 'Line 2 has a quote in the middle of a field.'],
    ['after a space', 'a,b\nx, "y"\n', 'Line 2 has a quote in the middle of a field.'],
    ['below blank lines', 'a,b\n\n\r\n\rx"y,z\n', 'Line 5 has a quote in the middle of a field.'],
    ['far below', `a,b\n${'"x",y\n\n'.repeat(20_000)}z"w,\n`, 'Line 40002 has a quote in the middle of a field.'],
    [
      'never closed',
      'a,b\r\n"q\r\nr",s\r\nx,"y\r\nz,1\r\n',
      'The quote opened in line 4 is never closed, so the rest of the file would be one field.',
    ],
    [
      'never closed below a separator line',
      'sep=,\na,b\nx,"y\n',
      'The quote opened in line 3 is never closed, so the rest of the file would be one field.',
    ],
  ])('%s refuse the file and name the line', async (_, text, says) => expect(await refusal(text)).toBe(says));

  test('never closed in a large file is told by the record that grows', async () => {
    const text = `a,b\nx,"y\n${'p,q\n'.repeat(500_000)}`;
    expect(await refusal(text)).toMatch(/row that begins near line 2 is longer than 1 MiB/);
  });
});

describe('rows of another width', () => {
  const ragged = async (text: string) =>
    (await rowsOf('a.csv', text)).flatMap(({ issues }) => issues.map((found) => [found.row, issueMessage(found)]));
  const says = (fields: number, expected: number) =>
    `The row has ${fields} fields where the headings have ${expected}; its values may have slid into other columns.`;

  test.each<[string, string, readonly (readonly [number, string])[]]>([
    ['one field too many', 'name,phone,amount\nJane,07,100\nJoe,08,1,500\n', [[3, says(4, 3)]]],
    ['one field too few', 'name,phone,amount\nJane,07,100\nJoe,08\n', [[3, says(2, 3)]]],
    [
      'every row too wide',
      'name,phone,amount\nJane,07,1,500\nJoe,08,2,500\n',
      [
        [2, says(4, 3)],
        [3, says(4, 3)],
      ],
    ],
    ['only the last row too wide', 'name,phone,amount\nJane,07,100\nJoe,08,1,500', [[3, says(4, 3)]]],
    ['titles above the headings', 'Acme\nPeriod,November\n\nname,phone,amount\nJane,07,100\n', []],
    ['titles with figures', 'Acme\nTotal,12500\nname,phone,amount\nJane,07,100\n', []],
    ['blank lines and lines of delimiters', 'name,phone,amount\n\n,\n,,,,,,\n \nJane,07,100\n', []],
    ['empty fields at the end of a row', 'name,phone,amount\nJane,07,100,,,\n', []],
    ['empty headings at the end', 'name,phone,amount,,\nJane,07,100\nJoe,08,100,,\nAnn,09,100,note\n', []],
    ['a wide note below', 'name,phone,amount\nJane,07,100\nmade by,A,checked by,B\n', [[3, says(4, 3)]]],
    ['no row of words', '1,2,3\n4,5\n', [[2, says(2, 3)]]],
    ['headings only', 'name,phone,amount\n', []],
  ])('%s', async (_, text, expected) => expect(await ragged(text)).toEqual(expected));

  test('are found however far down they stand', async () => {
    expect(await ragged(`name,phone\n${'Jane,07\n'.repeat(20_000)}Joe,08,9\n`)).toEqual([[20_002, says(3, 2)]]);
  });
});

describe('limits', () => {
  test.each<[string, string, object, RegExp]>([
    ['a line', `a,b\n${'x'.repeat(2_100_000)}\n`, {}, /Line 2 is longer than 1 MiB/],
    ['a cell', `a,b\n${'x'.repeat(32_768)},y\n`, {}, /Cell A2 holds more than 32767 characters/],
    ['columns', `a,b\n${'x,'.repeat(1_025)}\n`, {}, /Row 2 has more than 1024 columns/],
    ['rows', `a,b\n${'x,y\n'.repeat(10)}`, { rows: 10 }, /more than 10 rows/],
    ['lines', `${'\n'.repeat(1_048_576)}a,b\n`, {}, /more than 1048576 rows/],
    ['a file that was cut off', `a,b\n${'x,y\n'.repeat(65_535)}`, {}, /exactly 65536 rows/],
  ])('of %s refuse the file', async (_, text, limits, says) => expect(await refusal(text, { limits })).toMatch(says));

  test('a worksheet named for a CSV file is told not to exist', async () => {
    const { notices } = await opened('a.csv', 'a,b\n', { worksheet: 'Staff' });
    expect(notices).toEqual(['A CSV file has no worksheets; --worksheet was ignored.']);
  });
});
