/** What the page of a plan needs beside the style of all pages: paper of A4, a banner, and lines to sign on. */
import { pageStyle } from '../screens/page-style.ts';

export const planPageStyle = `${pageStyle}
.banner { margin: 0 0 1rem; padding: .5rem 1rem; border: .2rem dashed #5c4400; background: #fff2cc; color: #5c4400; font-weight: 700; }
.facts th { width: 11rem; font-weight: 400; color: var(--quiet); }
.facts td { overflow-wrap: anywhere; }
.print span { display: inline-block; margin-right: .6ch; }
thead th.figure:first-child { width: 4rem; }
.print { white-space: normal; font-size: 1rem; }
.above td, .above th { border-bottom: 0; color: var(--quiet); background: #fff; font-size: .8rem; font-weight: 400; }
.sign td { height: 3.2rem; border-bottom: 1px solid var(--ink); vertical-align: bottom; }
.sign th:first-child { width: 9rem; }
@page { size: A4; margin: 15mm 15mm 18mm; @bottom-right { content: counter(page) " / " counter(pages); font: 9pt sans-serif; } }
@media print {
  .banner { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  .sign, .short { break-inside: avoid; }
  section { margin-top: 1.2rem; }
  th, td { padding: .2rem .4rem; }
  dd { font-size: 13pt; }
}
`;
