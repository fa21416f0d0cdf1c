/** The style of paybatch's pages: on a screen in light and dark mode, and on paper. A page adds what only it needs. */

/**
 * Colours by their meaning. In both lists, every text has a contrast above 4.5 to 1 with its background, and no colour means
 * anything without a word next to it.
 */
const colours = {
  ink: { light: '#1b1b1b', dark: '#f1f1f1' },
  paper: { light: '#ffffff', dark: '#17191c' },
  quiet: { light: '#595959', dark: '#b8b8b8' },
  line: { light: '#d0d0d0', dark: '#4a4e54' },
  strong: { light: '#1f3864', dark: '#c5d6f5' },
  bar: { light: '#1f3864', dark: '#2b3f63' },
  'bar-ink': { light: '#ffffff', dark: '#ffffff' },
  tile: { light: '#f2f5fa', dark: '#23272d' },
  good: { light: '#e2efda', dark: '#1d3a22' },
  'good-ink': { light: '#215c26', dark: '#a5d6a7' },
  bad: { light: '#f8d7da', dark: '#4a1c20' },
  'bad-ink': { light: '#8a1420', dark: '#ffb4b4' },
  careful: { light: '#fff2cc', dark: '#453610' },
  'careful-ink': { light: '#5c4400', dark: '#ffe08a' },
  wait: { light: '#ddebf7', dark: '#1c3550' },
  'wait-ink': { light: '#1f4e79', dark: '#a9d1fa' },
  muted: { light: '#ededed', dark: '#2d3035' },
  'muted-ink': { light: '#555555', dark: '#c4c4c4' },
  link: { light: '#0b4f9e', dark: '#8ab8ff' },
} as const satisfies Record<string, { readonly light: string; readonly dark: string }>;

const variables = (which: 'light' | 'dark'): string =>
  Object.entries(colours)
    .map(([name, colour]) => `--${name}: ${colour[which]};`)
    .join(' ');

/**
 * The style sheet. A spreadsheet program that opens a page takes every cell for text (`mso-number-format`). Paper is always light.
 */
export const pageStyle = `
:root { color-scheme: light dark; ${variables('light')} }
@media screen and (prefers-color-scheme: dark) { :root { ${variables('dark')} } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0 auto; max-width: 72rem; padding: 2rem 1.5rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, "Segoe UI", "Liberation Sans", sans-serif; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; color: var(--strong); overflow-wrap: anywhere; }
h2 { margin: 0 0 .5rem; font-size: 1.1rem; color: var(--strong); }
section { margin-top: 2rem; }
.banner { margin: 0 0 1rem; padding: .5rem 1rem; border: .2rem dashed; background: var(--careful); color: var(--careful-ink); font-weight: 700; }
.quiet { margin: .25rem 0; color: var(--quiet); font-size: .9rem; }
.verdict { margin: 1.5rem 0 1rem; padding: .75rem 1rem; border-left: .4rem solid; font-weight: 600; }
.good { background: var(--good); color: var(--good-ink); }
.bad { background: var(--bad); color: var(--bad-ink); }
.careful { background: var(--careful); color: var(--careful-ink); }
.wait { background: var(--wait); color: var(--wait-ink); }
.muted { background: var(--muted); color: var(--muted-ink); }
.note { margin: 0 0 1rem; font-weight: 600; }
dl { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0; }
dl div { flex: 1 1 auto; min-width: 7rem; padding: .75rem 1rem; background: var(--tile); }
dt { color: var(--quiet); font-size: .85rem; }
dd { margin: 0; white-space: nowrap; font-size: 1.35rem; font-weight: 600; color: var(--strong); font-variant-numeric: tabular-nums; }
dd.below { color: var(--quiet); font-size: .85rem; font-weight: 400; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
caption { padding: .25rem 0; text-align: left; color: var(--quiet); }
td, th { mso-number-format: "\\@"; }
th, td { padding: .4rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { background: var(--bar); color: var(--bar-ink); white-space: nowrap; overflow-wrap: normal; }
td.corner { background: var(--bar); }
tbody th { font-weight: 600; min-width: 4.5rem; }
.problems { table-layout: fixed; }
.problems th:first-child { width: 5.5rem; }
.problems th:nth-child(2) { width: 22%; }
.facts th { width: 11rem; font-weight: 400; color: var(--quiet); }
.facts td { overflow-wrap: anywhere; }
.figure { text-align: right; font-variant-numeric: tabular-nums; }
td.figure { white-space: nowrap; }
.value { white-space: pre-wrap; }
code { font: .85em ui-monospace, Consolas, "Liberation Mono", monospace; white-space: nowrap; }
.parts { white-space: normal; font-size: 1rem; }
.parts span { display: inline-block; margin-right: .6ch; }
a { color: var(--link); }
.level { display: inline-block; white-space: nowrap; padding: 0 .5rem; border-radius: .2rem; font-size: .8rem; font-weight: 600; }
.level.error { background: var(--bad); color: var(--bad-ink); }
.level.warning { background: var(--careful); color: var(--careful-ink); }
footer { margin-top: 2.5rem; }
:focus-visible { outline: .2rem solid var(--link); outline-offset: .1rem; }
@media print {
  :root { color-scheme: light; }
  @page { margin: 15mm; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  thead { display: table-header-group; }
  tr, .verdict, dl { break-inside: avoid; }
  h2, caption { break-after: avoid; }
  .banner, .verdict, dl div, thead th, td.corner, .level, .good, .bad, .careful, .wait, .muted { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  a { color: inherit; text-decoration: none; }
}
`;
