import { expect, test } from 'vitest';
import { html, htmlTable, inLines, isNone, joined, none, orElse, prose, withCommands } from '../../src/html/html.ts';

const EVIL = '"><script>alert(1)</script>';
const SAFE = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;';

test('text is escaped wherever it stands, and HTML stays what it is', () => {
  const inside = html`<b title="${EVIL}">${EVIL}</b>`;
  expect(inside.text).toBe(`<b title="${SAFE}">${SAFE}</b>`);
  expect(html`<p>${inside}${[EVIL, [inside]]}</p>`.text).toBe(`<p>${inside.text}${SAFE}${inside.text}</p>`);
});

test('what is missing or false leaves nothing, and a number is written as it is', () => {
  const isOpen = false as boolean;
  expect(html`<a${isOpen && html` hidden`}>${undefined}${''}${0}</a>`.text).toBe('<a>0</a>');
  expect([isNone(none), isNone(html` `), isNone(html`0`)]).toEqual([true, true, false]);
  expect(orElse(none, html`no`).text + orElse(html`yes`, html`no`).text).toBe('noyes');
});

test('HTML that gets into a plain text is a bug that shows at once', () => {
  const inside = html`<b>${'a'}</b>`;
  expect(() => `${inside}`).toThrow(TypeError);
  expect(() => [inside].join('')).toThrow(TypeError);
});

test('what stands between parts and lines is HTML, too', () => {
  expect(joined([EVIL, html`<b>b</b>`, 'c'], html`<br>`).text).toBe(`${SAFE}<br><b>b</b><br>c`);
  expect(joined([], ', ').text).toBe('');
  expect(inLines('a\n<b>').text).toBe('<bdi>a<br>&lt;b&gt;</bdi>');
});

test('a command between backticks is code, and what is in it is text', () => {
  expect(withCommands('Type `paybatch run <x>` now.').text).toBe('Type <code>paybatch run &lt;x&gt;</code> now.');
  expect(prose('one ` alone').text).toBe('<bdi class="told">one ` alone</bdi>');
});

test('a column says how its cells look, and one column names the rows', () => {
  const columns = ['Name', { heading: 'When', look: 'brief' }, '#Paid'];
  const rows = [[EVIL, 'today', undefined]];
  const named = htmlTable({ caption: 'People', columns, rows }).text;
  expect(named).toContain('<th scope="col">Name</th><th scope="col">When</th><th scope="col" class="figure">Paid</th>');
  expect(named).toContain(`<tr><th scope="row">${SAFE}</th><td class="brief">today</td><td class="figure"></td></tr>`);
  expect(htmlTable({ caption: 'People', columns, rows, namedBy: -1 }).text).toContain(`<tr><td>${SAFE}</td>`);
});
