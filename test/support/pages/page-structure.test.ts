import { describe, expect, test } from 'vitest';
import { anchorsOf, decisionsOf, pathsOf, relativeLinksOf } from './page-structure.ts';

const page = `# A page: with \`code\`

First sentence of two lines,
and its end. **Second.** Third one, see [the \`a b c\`](there.md#at-once).

| a table | is no prose. At all. |
| ------- | -------------------- |

1. An item of \`a. b. c\`
   that goes on.
- Another item, without a stop

\`\`\`text
# no heading. No sentence. [no](link.md)
\`\`\`

## Decisions

**A group**

### One
Why. Given
up: much.

### Two
Why not.
`;

describe('the structure of a page', () => {
  test('tells its decisions apart from the titles of their groups', () => {
    expect(decisionsOf(page)).toEqual([
      { level: 3, title: 'One', text: 'Why. Given up: much.' },
      { level: 3, title: 'Two', text: 'Why not.' },
    ]);
  });

  test('has links, and anchors that others link to', () => {
    expect(relativeLinksOf(`${page}[away](https://example.com)`)).toEqual(['there.md#at-once']);
    expect(anchorsOf(page)).toEqual(['a-page-with-code', 'decisions', 'one', 'two']);
  });

  test('names files of code and prose by a folder and an ending', () => {
    const named = '`a/b-c.ts` and [`d/e.test.ts`](../d/e.test.ts), | `../f/README.md` |';
    const others = '`g.ts`, `h/`, `i/*.ts`, `j/k.xlsx`, `l/m.ts n`, o/p.ts';
    expect(pathsOf(`${named}, ${others}`)).toEqual(['a/b-c.ts', 'd/e.test.ts', '../f/README.md']);
  });
});
