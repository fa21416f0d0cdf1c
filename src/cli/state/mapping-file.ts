/** Mappings of headings in the state folder: written by `map`, read by every command that reads a sheet. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { folded } from '../../batch/fold-heading.ts';
import {
  type HeadingMapping,
  type MappedHeading,
  nameForHeadings,
  repeatedHeading,
} from '../../batch/heading-mapping.ts';
import type { HeadingDecisions } from '../../batch/heading-question.ts';
import { Fault } from '../../domain/fault.ts';
import { chooseAmong } from '../../domain/likeness.ts';
import { present } from '../../domain/present.ts';
import { requireOwnFolder, useOwnFolder, writeOwnFile } from '../../files/own-folder.ts';
import { columnDescriptions } from '../../kinds/index.ts';
import { whyUnusable } from './why-unusable.ts';

/** Most headings of one sheet: the columns of a spreadsheet. */
const HEADINGS_MAX = 16_384;

const mappingSchema = z.strictObject({
  paybatch: z.literal('mapping'),
  v: z.literal(1),
  worksheet: z.string().min(1).exactOptional().describe('The worksheet that it was learned on, of several'),
  headings: z
    .array(
      z
        .strictObject({
          folded: z.string().min(1).describe('The heading as it is compared: letters and digits, in lower case'),
          heading: z.string().describe('The heading as it was written when the mapping was learned'),
          column: z.string().nullable().describe('Column id; null: the heading means nothing'),
        })
        .refine((entry) => folded(entry.heading) === entry.folded, 'heading and folded do not belong together')
        .refine(
          ({ column }) => column === null || columnDescriptions().some(({ id }) => id === column),
          'there is no such column',
        ),
    )
    .max(HEADINGS_MAX),
});

/** Returns a name for a mapping, which becomes a file name. Throws a Fault `usage` for any other text. */
export function mappingName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,40}$/.test(text)) return text;
  throw new Fault('usage', `"${text}" cannot name a mapping.`, 'Use up to 41 letters, digits, - and _.');
}

const folderOf = (home: string): string => path.join(home, 'mappings');
const fileOf = (home: string, name: string): string => path.join(folderOf(home), `${mappingName(name)}.json`);

/** Reads a mapping by its name. Throws a Fault `usage` if there is none, `configuration` if it cannot be relied on. */
export function readMapping(home: string, name: string): HeadingMapping {
  const mapping = findMapping(home, name);
  if (!mapping) {
    const known = existsSync(folderOf(home)) ? readdirSync(folderOf(home)).filter((one) => one.endsWith('.json')) : [];
    const names = known.map((one) => one.slice(0, -'.json'.length)).sort();
    throw new Fault(
      'usage',
      `There is no mapping "${name}".`,
      `${names.length > 0 ? `${chooseAmong(name, names)} ` : ''}Learn it with: paybatch map SHEET --save ${name}`,
    );
  }
  return mapping;
}

/** Like `readMapping`, but returns `undefined` if there is no mapping of that name. */
export function findMapping(home: string, name: string): HeadingMapping | undefined {
  const file = fileOf(home, name);
  requireOwnFolder(folderOf(home));
  if (!existsSync(file)) return undefined;
  const parsed = mappingSchema.safeParse(jsonOf(file));
  if (!parsed.success) throw unusable(file, whyUnusable(parsed.error));
  const headings = parsed.data.headings.map(
    ({ heading, column }): MappedHeading => ({ heading, ...present({ means: column ?? undefined }) }),
  );
  const repeated = repeatedHeading(headings);
  if (repeated !== undefined) throw unusable(file, `"${repeated}" or its column is in it twice.`);
  const { worksheet } = parsed.data;
  return { name, headings, ...present({ worksheet }) };
}

/** Writes a mapping that only its owner can read, and replaces an older one of the same name. Returns the path. */
export function saveMapping(home: string, { name, headings, worksheet }: HeadingMapping): string {
  const file = fileOf(home, name);
  useOwnFolder(folderOf(home));
  const content: z.infer<typeof mappingSchema> = {
    paybatch: 'mapping',
    v: 1,
    ...present({ worksheet }),
    headings: headings.map(({ heading, means = null }) => ({ folded: folded(heading), heading, column: means })),
  };
  writeOwnFile(file, content);
  return file;
}

/** Decisions from earlier sheets, without asking a person. `home`: returns the state folder, and is called when it is needed. */
export const keptDecisions = (home: () => string): HeadingDecisions => ({
  keptFor: (headings) => findMapping(home(), nameForHeadings(headings)),
  async keep(mapping) {
    saveMapping(home(), mapping);
  },
});

function jsonOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw unusable(file, error instanceof Error ? error.message : String(error), error);
  }
}

const unusable = (file: string, why: string, cause?: unknown): Fault =>
  new Fault('configuration', `The mapping ${file} is not valid.`, `${why} Learn it again with \`paybatch map\`.`, {
    cause,
  });
