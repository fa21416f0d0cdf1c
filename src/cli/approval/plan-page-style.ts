/** The styles of a plan's page, in addition to those of all pages: A4 paper, and lines to sign on. */
import { pageStyle } from '../../html/page-style.ts';

export const planPageStyle = `${pageStyle}
thead th.figure:first-child { width: 4rem; }
.above td, .above th { border-bottom: 0; color: var(--quiet); background: var(--paper); font-size: .8rem; font-weight: 400; }
.sign td { height: 3.2rem; border-bottom: 1px solid var(--ink); vertical-align: bottom; }
.sign td:first-child { width: 9rem; }
.sign td.corner { height: auto; border-bottom: 0; }
@page { size: A4; margin: 15mm 15mm 18mm; @bottom-right { content: counter(page) " / " counter(pages); font: 9pt sans-serif; } }
@media print {
  .sign, .short { break-inside: avoid; }
  section { margin-top: 1.2rem; }
  th, td { padding: .2rem .4rem; }
  dd { font-size: 13pt; }
}
`;
