/** A plot as a section of a page: the picture, and beside it the table that says the same. */
import { escaped } from '../../html/html-page.ts';
import type { Plot, PlotLine } from '../plots/plot.ts';
import { openTag, pageCell } from './cell.ts';

export function plotSection({ name, title, table: { headings, rows, total }, svg }: Plot): string {
  const id = `plot-${name}-heading`;
  const head = headings.map(
    (heading, index) => `<th scope="col"${index > 0 ? ' class="figure"' : ''}>${escaped(heading)}</th>`,
  );
  return `<section class="plotted">
<h2 id="${id}">${escaped(title)}</h2>
<div class="picture">${svg}</div>
<div class="scroll" role="region" tabindex="0" aria-labelledby="${id}"><table aria-labelledby="${id}"><thead><tr>${head.join('')}</tr></thead><tbody>
${rows.map((line) => lineHtml(line)).join('\n')}
${total ? lineHtml(total, 'total') : ''}
</tbody></table></div>
</section>`;
}

function lineHtml([about, ...figures]: PlotLine, look?: 'total'): string {
  const cells = figures.map((figure) => pageCell(figure, 'UTC', 'integer'));
  return `<tr${look ? ` class="${look}"` : ''}><th scope="row">${escaped(about)}</th>${cells.map((cell) => `${openTag('td', cell)}${cell.html}</td>`).join('')}</tr>`;
}
