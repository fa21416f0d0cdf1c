/** Reads how the parts of a package refer to one another (OPC 9.3). Targets in other files are marked as such and never opened. */
import type { SheetLimits } from '../sheet-limits.ts';
import type { Package } from './package.ts';
import { relationshipNamespaces } from './vocabulary.ts';
import { readXml } from './xml.ts';

export interface Relationship {
  readonly id: string;
  readonly type: string;
  /** Name of the part; `undefined` if the target is outside the package. */
  readonly part: string | undefined;
}

/** Returns the relationships of a part, or of the whole package for `''`; empty if it states none. */
export async function relationshipsOf(
  pack: Package,
  source: string,
  limits: SheetLimits,
): Promise<readonly Relationship[]> {
  const slash = source.lastIndexOf('/') + 1;
  const part = `${source.slice(0, slash)}_rels/${source.slice(slash)}.rels`;
  if (!pack.has(part)) return [];
  const found: Relationship[] = [];
  await readXml(
    pack.read(part),
    { part, namespaces: relationshipNamespaces, root: 'Relationships', limits },
    {
      open(name, attributes) {
        if (name !== 'Relationship') return;
        const isOutside = attributes['TargetMode'] === 'External';
        found.push({
          id: attributes['Id'] ?? '',
          type: attributes['Type'] ?? '',
          part: isOutside ? undefined : partFrom(source, attributes['Target'] ?? ''),
        });
      },
    },
  );
  return found;
}

/** Resolves a target: `worksheets/sheet1.xml` in `xl/workbook.xml` is `xl/worksheets/sheet1.xml`; a leading slash means the root. */
function partFrom(source: string, target: string): string {
  const path = target.startsWith('/') ? target : `${source.slice(0, source.lastIndexOf('/') + 1)}${target}`;
  const folders: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') folders.pop();
    else if (name !== '' && name !== '.') folders.push(name);
  }
  return folders.join('/');
}
