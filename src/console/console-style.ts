/** The style of the console's pages, in addition to the style of all pages: a banner, navigation, forms, and a grid. */
import { pageStyle } from '../html/page-style.ts';

export const consoleStyle = `${pageStyle}
body { max-width: none; padding: 0; }
main, footer { max-width: 75rem; margin: 0 auto; padding: 0 1.5rem; }
.banner, nav ul { padding-left: max(1.5rem, calc((100% - 72rem) / 2)); padding-right: max(1.5rem, calc((100% - 72rem) / 2)); }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
header { margin: 0 0 1.5rem; }
.banner { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; margin: 0; padding-top: .6rem; padding-bottom: .6rem; border: 0; border-bottom: .25rem solid; font-weight: 400; }
.banner strong { font-size: 1.15rem; letter-spacing: .06em; }
.banner span { margin-left: auto; }
.practice { background: var(--wait); color: var(--wait-ink); border-bottom-style: dashed; }
.real { background: var(--bad-ink); color: var(--paper); border-bottom-color: var(--bad-ink); }
nav { background: var(--tile); }
nav ul { display: flex; flex-wrap: wrap; margin: 0 0 0 -.75rem; padding-top: 0; padding-bottom: 0; list-style: none; }
nav a { display: block; padding: .7rem .75rem; color: var(--ink); text-decoration: none; border-bottom: .2rem solid transparent; }
nav a:hover { text-decoration: underline; }
nav a[aria-current] { font-weight: 700; color: var(--strong); border-bottom-color: var(--strong); }
main:focus { outline: 0; }
h1 { margin-bottom: .5rem; }
form { margin: 0; }
main :not(pre) > code { white-space: normal; overflow-wrap: anywhere; }
label { font-weight: 600; }
main > dl { margin: 1rem 0; }
dl div { max-width: 24rem; }
fieldset { min-width: 0; margin: 1rem 0; padding: .5rem 1rem 1rem; border: 1px solid var(--line); }
legend { padding: 0 .4rem; font-weight: 600; color: var(--strong); }
.fields { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; margin: 1rem 0; }
.fields > div { flex: 0 1 auto; max-width: 100%; }
.fields > .long { flex: 1 1 20rem; max-width: 40rem; }
.fields input, .fields select { width: 100%; }
.fields label { display: block; font-size: .85rem; }
input, select, button { font: inherit; max-width: 100%; min-height: 2.75rem; padding: .4rem .75rem; color: var(--ink); background: var(--paper); border: 1px solid var(--quiet); border-radius: .25rem; }
input[type="radio"] { min-height: 0; width: 1.1rem; height: 1.1rem; vertical-align: -.15rem; }
button, .button { display: inline-block; min-height: 2.75rem; padding: .5rem 1.25rem; color: var(--bar-ink); background: var(--bar); border: 1px solid var(--bar); border-radius: .25rem; font-weight: 600; text-decoration: none; cursor: pointer; }
button.plain { color: var(--ink); background: var(--paper); border-color: var(--quiet); font-weight: 400; }
.drop input { display: block; width: 100%; margin: .5rem 0 .75rem; padding: 2.5rem 1.5rem; border: .15rem dashed var(--quiet); background: var(--tile); }
.choices { list-style: none; padding: 0; margin: 0; }
.choices li { padding: .35rem 0; border-bottom: 1px solid var(--line); }
.wide { overflow-x: auto; max-width: 100%; }
.wide table { min-width: 34rem; }
.wide th, .wide td { overflow-wrap: break-word; max-width: 22rem; }
.wide .brief { white-space: nowrap; }
.wide .counts { min-width: 16rem; }
.wide section { margin-top: 1rem; }
.wide section:first-child { margin-top: 0; }
thead th.figure:first-child { width: 4rem; }
.grid table { width: auto; min-width: 100%; }
.grid th, .grid td { border: 1px solid var(--line); }
.grid thead th { white-space: normal; vertical-align: bottom; }
.grid thead th code { white-space: nowrap; }
.grid thead span { display: block; font-weight: 400; font-size: .8rem; }
.grid .at-error { background: var(--bad); color: var(--bad-ink); }
.grid .at-warning { background: var(--careful); color: var(--careful-ink); }
.grid .faulty { display: block; font-size: .8rem; color: var(--bad-ink); }
.grid .said { display: block; min-width: 14rem; margin-top: .25rem; font-size: .85rem; font-weight: 400; }
form.act { margin: 1.5rem 0; }
form.act fieldset { border-width: 2px; }
form.act.practises fieldset { border-style: dashed; border-color: var(--wait-ink); }
form.act.pays fieldset { border-color: var(--bad-ink); }
form.act .whose { margin: .5rem 0; padding: .35rem .75rem; }
form.act.practises .whose { background: var(--wait); color: var(--wait-ink); }
form.act.pays .whose { background: var(--bad-ink); color: var(--paper); }
.field { max-width: 40rem; margin: .75rem 0; }
.field label { display: block; }
.field input { width: 100%; }
.field p { margin: .25rem 0 0; }
.grid .out { display: block; font-size: .8rem; font-weight: 400; }
.left-out td, .left-out th { background: var(--muted); color: var(--muted-ink); }
input[type="checkbox"] { min-height: 0; width: 1.25rem; height: 1.25rem; vertical-align: -.2rem; }
details { margin: 1rem 0; padding: 0 1rem; border: 1px solid var(--line); }
summary { padding: .7rem 0; font-weight: 600; cursor: pointer; }
.late { visibility: hidden; max-height: 0; margin: 0; padding-top: 0; padding-bottom: 0; overflow: hidden; animation: late 1ms linear 8s forwards; }
@keyframes late { to { visibility: visible; max-height: 20rem; padding: .75rem 1rem; margin: 1rem 0; } }
.spoken { position: absolute; left: -100rem; }
progress { width: min(24rem, 100%); height: 1.1rem; accent-color: var(--strong); vertical-align: -.2rem; }
.pages { display: flex; flex-wrap: wrap; gap: 1rem; align-items: baseline; margin: .75rem 0; }
.wide table.people { min-width: 62rem; }
.people td { max-width: 16rem; }
.tick { margin: .75rem 0; }
.state { display: inline-block; padding: 0 .5rem; border-radius: .2rem; font-weight: 600; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem 1.25rem; align-items: baseline; margin: 1rem 0; }
.command pre { margin: 0; padding: .75rem 1rem; overflow-x: auto; background: var(--tile); border-left: .25rem solid var(--line); }
.command code { white-space: pre; font-size: .95rem; }
dd { white-space: normal; }
footer { margin-top: 2.5rem; margin-bottom: 1rem; display: flex; flex-wrap: wrap; gap: 1rem; justify-content: space-between; align-items: center; border-top: 1px solid var(--line); padding-top: 1rem; }
@media (max-width: 30rem) {
  main, footer { padding-left: 1rem; padding-right: 1rem; }
  .banner, nav ul { padding-left: 1rem; padding-right: 1rem; }
  .banner span { margin-left: 0; }
  nav a { padding-left: .5rem; padding-right: .5rem; }
  nav ul { margin-left: -.5rem; }
  .drop input { padding: 1.5rem .75rem; }
}
@media print {
  nav, .skip, form, .actions, .pages a { display: none; }
  .wide { overflow: visible; }
  header { margin: 0 0 1rem; }
}
`;
