/** The style of our pages, on a screen and on paper; a spreadsheet that opens one takes every cell for text (`mso-number-format`). Every pair of colours keeps a contrast above 4.5 to 1. */
export const pageStyle = `
:root { color-scheme: light; --ink: #1b1b1b; --quiet: #595959; --line: #d0d0d0; --navy: #1f3864; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 2rem 1.5rem; color: var(--ink); background: #fff;
  font: 16px/1.5 system-ui, "Segoe UI", "Liberation Sans", sans-serif; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; color: var(--navy); overflow-wrap: anywhere; }
h2 { margin: 0 0 .5rem; font-size: 1.1rem; color: var(--navy); }
section { margin-top: 2rem; }
.quiet { margin: .25rem 0; color: var(--quiet); font-size: .9rem; }
.verdict { margin: 1.5rem 0 1rem; padding: .75rem 1rem; border-left: .4rem solid; font-weight: 600; }
.good { background: #e2efda; color: #215c26; }
.bad { background: #f8d7da; color: #8a1420; }
.careful { background: #fff2cc; color: #5c4400; }
.note { margin: 0 0 1rem; font-weight: 600; }
dl { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0; }
dl div { flex: 1 1 auto; min-width: 7rem; padding: .75rem 1rem; background: #f2f5fa; }
dt { color: var(--quiet); font-size: .85rem; }
dd { margin: 0; white-space: nowrap; font-size: 1.35rem; font-weight: 600; color: var(--navy); font-variant-numeric: tabular-nums; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
caption { padding: .25rem 0; text-align: left; color: var(--quiet); }
td, th { mso-number-format: "\\@"; }
th, td { padding: .4rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { background: var(--navy); color: #fff; white-space: nowrap; overflow-wrap: normal; }
tbody th { font-weight: 600; min-width: 4.5rem; }
.problems { table-layout: fixed; }
.problems th:first-child { width: 5.5rem; }
.problems th:nth-child(2) { width: 22%; }
.figure { text-align: right; font-variant-numeric: tabular-nums; }
.value { white-space: pre-wrap; }
code { font: .85em ui-monospace, Consolas, "Liberation Mono", monospace; white-space: nowrap; }
a { color: #0b4f9e; }
.level { display: inline-block; white-space: nowrap; padding: 0 .5rem; border-radius: .2rem; font-size: .8rem; font-weight: 600; }
.level.error { background: #f8d7da; color: #8a1420; }
.level.warning { background: #fff2cc; color: #5c4400; }
footer { margin-top: 2.5rem; }
@media print {
  @page { margin: 15mm; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  thead { display: table-header-group; }
  tr, .verdict, dl { break-inside: avoid; }
  h2, caption { break-after: avoid; }
  .verdict, dl div, thead th, .level { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  a { color: inherit; text-decoration: none; }
}
`;
