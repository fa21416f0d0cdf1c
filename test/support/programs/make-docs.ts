/** Writes the parts of the documentation that are made of the program's own tables: `npm run docs`. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { madeAnew } from '../pages/made-parts.ts';

const DOCS = path.join(import.meta.dirname, '..', '..', '..', 'src', 'docs');

for (const name of globSync('*.md', { cwd: DOCS })) {
  const file = path.join(DOCS, name);
  const page = readFileSync(file, 'utf8');
  const made = madeAnew(page);
  if (made !== page) writeFileSync(file, made);
}
