/**
 * What a page of results runs: rows are filtered by words and outcome, and sorted by a button in each heading. It adds nothing
 * that is not on the page already; without it every listed row is shown, in the order of the sheet.
 */
export const tableScript = `'use strict';
(() => {
  const table = document.getElementById('rows');
  const form = document.getElementById('filter');
  if (!table || !form) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const words = document.getElementById('filter-text');
  const outcome = document.getElementById('filter-outcome');
  const count = document.getElementById('filter-count');
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, [...row.cells].map((cell) => cell.textContent).join(' ').toLowerCase());
    return texts.get(row);
  };
  const filter = () => {
    const asked = words.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const fits = (!outcome.value || row.dataset.outcome === outcome.value) && asked.every((word) => textOf(row).includes(word));
      row.hidden = !fits;
      if (fits) shown += 1;
    }
    count.textContent = shown + ' of ' + rows.length + ' rows shown';
  };
  words.addEventListener('input', filter);
  outcome.addEventListener('change', filter);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    filter();
  });

  const keyOf = (cell) => (cell.dataset.sort === undefined ? cell.textContent : Number(cell.dataset.sort));
  const compare = (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    if (typeof a === 'number') return -1;
    if (typeof b === 'number') return 1;
    return a.localeCompare(b, undefined, { numeric: true, sensitivity: 'base' });
  };
  const headings = [...table.tHead.rows[0].cells];
  const sort = (heading, column) => {
    const way = heading.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
    for (const other of headings) other.removeAttribute('aria-sort');
    heading.setAttribute('aria-sort', way > 0 ? 'ascending' : 'descending');
    const keyed = rows.map((row) => [keyOf(row.cells[column]), row]);
    // Cells without anything stay below, whichever way the others go.
    keyed.sort(([a], [b]) => (a === '' || b === '' ? (a === '') - (b === '') : way * compare(a, b)));
    body.append(...keyed.map(([, row]) => row));
  };
  headings.forEach((heading, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...heading.childNodes);
    button.addEventListener('click', () => sort(heading, column));
    heading.append(button);
  });
  form.hidden = false;
  filter();
})();
`;
