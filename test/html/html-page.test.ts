import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hiddenIn } from '../../src/domain/shown-text.ts';
import { html, inParts, isolated, none } from '../../src/html/html.ts';
import { dataBlock, htmlPage, htmlPieces } from '../../src/html/html-page.ts';

const HOSTILE = '</script><script>alert(1)</script><!-- \u202e\u0007 "\' &';

describe('a page', () => {
  const head = { language: 'en', title: HOSTILE, style: 'p { color: red }' };

  test('may run nothing where it has no script, and else the script alone that it has', () => {
    const policyOf = (page: string) => /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1];
    const still = htmlPage({ ...head, body: none });
    expect(policyOf(still)).not.toContain('script-src');
    expect(policyOf(still)).toContain(`default-src 'none'`);
    const script = 'document.title = 1;';
    const hash = createHash('sha256').update(script).digest('base64');
    const page = htmlPage({ ...head, body: none, script });
    expect(policyOf(page)).toContain(`script-src 'sha256-${hash}'`);
    expect(page).toContain(`<script>${script}</script>`);
  });

  test('is the same in pieces as in one', async () => {
    const whole = htmlPage({ ...head, body: html`<p>a</p><p>b</p>`, script: '1;' });
    const pieces = await Array.fromAsync(htmlPieces({ ...head, script: '1;' }, [html`<p>a</p>`, html`<p>b</p>`]));
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('')).toBe(whole);
  });

  test('keeps texts of others from being markup, and from hiding or turning anything', () => {
    const text = `${html`${isolated(HOSTILE)}${inParts(HOSTILE)}`.text}${htmlPage({ ...head, body: none })}`;
    expect(text).not.toMatch(/<script|<!--/);
    expect(hiddenIn(text)).toEqual(['\n']);
    expect(text).toContain('&lt;U+202E&gt;');
  });
});

test('data in a page are the value, whatever it holds, and end no element', () => {
  const value = { [HOSTILE]: [HOSTILE, 1, null], money: '1002.25' };
  const block = dataBlock('evidence', value).text;
  const [, json = ''] = /^<script type="application\/json" id="evidence">([^<]*)<\/script>$/.exec(block) ?? [];
  expect(JSON.parse(json)).toEqual(value);
  expect(hiddenIn(block)).toEqual([]);
});
