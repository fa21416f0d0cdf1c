/** What the pages of the console need beside the style of all pages: a banner, a way to each other, forms, and a grid. */
import { pageStyle } from '../html/page-style.ts';

export const consoleStyle = `${pageStyle}
body { padding-top: 0; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
header { margin: 0 -1.5rem 1.5rem; }
.banner { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; margin: 0; padding: .6rem 1.5rem; border: 0; border-bottom: .25rem solid; font-weight: 400; }
.banner strong { font-size: 1.15rem; letter-spacing: .06em; }
.banner span { margin-left: auto; }
.practice { background: var(--wait); color: var(--wait-ink); border-bottom-style: dashed; }
.real { background: var(--bad); color: var(--bad-ink); }
nav { background: var(--tile); }
nav ul { display: flex; flex-wrap: wrap; margin: 0; padding: 0 .75rem; list-style: none; }
nav a { display: block; padding: .7rem .75rem; color: var(--ink); text-decoration: none; border-bottom: .2rem solid transparent; }
nav a:hover { text-decoration: underline; }
nav a[aria-current] { font-weight: 700; color: var(--strong); border-bottom-color: var(--strong); }
main:focus { outline: 0; }
h1 { margin-bottom: .5rem; }
form { margin: 0; }
label { font-weight: 600; }
fieldset { margin: 1rem 0; padding: .5rem 1rem 1rem; border: 1px solid var(--line); }
legend { padding: 0 .4rem; font-weight: 600; color: var(--strong); }
.fields { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; margin: 1rem 0; }
.fields > div { flex: 0 1 auto; max-width: 100%; }
.fields label { display: block; font-size: .85rem; }
input, select, button { font: inherit; max-width: 100%; min-height: 2.75rem; padding: .4rem .75rem; color: var(--ink); background: var(--paper); border: 1px solid var(--quiet); border-radius: .25rem; }
input[type="radio"] { min-height: 0; width: 1.1rem; height: 1.1rem; vertical-align: -.15rem; }
button, .button { display: inline-block; min-height: 2.75rem; padding: .5rem 1.25rem; color: var(--bar-ink); background: var(--bar); border: 1px solid var(--bar); border-radius: .25rem; font-weight: 600; text-decoration: none; cursor: pointer; }
button.plain { color: var(--ink); background: var(--paper); border-color: var(--quiet); font-weight: 400; }
.drop { display: block; padding: 1.25rem; border: .15rem dashed var(--quiet); background: var(--tile); }
.drop input { width: 100%; margin: .5rem 0; padding: 1.25rem .75rem; min-height: 4.5rem; background: var(--paper); }
.choices { list-style: none; padding: 0; margin: 0; }
.choices li { padding: .35rem 0; border-bottom: 1px solid var(--line); }
.wide { overflow-x: auto; max-width: 100%; }
.wide table { min-width: 34rem; }
.grid table { width: auto; min-width: 100%; }
.grid th, .grid td { max-width: 22rem; border: 1px solid var(--line); }
.grid thead th { white-space: normal; vertical-align: bottom; }
.grid thead span { display: block; font-weight: 400; font-size: .8rem; }
.grid .at-error { background: var(--bad); color: var(--bad-ink); }
.grid .at-warning { background: var(--careful); color: var(--careful-ink); }
.grid .said { display: block; min-width: 14rem; margin-top: .25rem; font-size: .85rem; font-weight: 400; }
.pages { display: flex; flex-wrap: wrap; gap: 1rem; align-items: baseline; margin: .75rem 0; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0; }
.command pre { margin: 0; padding: .75rem 1rem; overflow-x: auto; background: var(--tile); border-left: .25rem solid var(--line); }
.command code { white-space: pre; font-size: .95rem; }
dd { white-space: normal; }
footer { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: space-between; align-items: center; border-top: 1px solid var(--line); padding-top: 1rem; }
@media (max-width: 30rem) {
  body { padding-left: 1rem; padding-right: 1rem; }
  header { margin: 0 -1rem 1rem; }
  .banner { padding: .6rem 1rem; }
  .banner span { margin-left: 0; }
  nav ul { padding: 0 .25rem; }
  .problems th:nth-child(2) { width: auto; }
}
@media print {
  nav, .skip, form, .actions, .pages a { display: none; }
  .wide { overflow: visible; }
  header { margin: 0 0 1rem; }
}
`;
