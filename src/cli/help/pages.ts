/** The pages of documentation that are shipped beside the program (`docs/`). `paybatch help` shows a page, or a section of one. */
import { readdirSync, readFileSync } from 'node:fs';
import { pageText, sectionOf } from './page-text.ts';

/** From the source as from the built package. */
const FOLDER = new URL('../../docs/', import.meta.url);
/** The page that lists the others, and its topic. */
const INDEX = 'README';
const INDEX_TOPIC = 'docs';

interface Place {
  readonly page: string;
  readonly section: string;
}

/** Topics that are a section of a page. A page itself is a topic under its name. */
const sections: Readonly<Record<string, Place>> = {
  'in-doubt': { page: 'pay-day', section: 'A row reads CHECK' },
  scheduling: { page: 'operations', section: 'Every month' },
  json: { page: 'operations', section: 'JSON for programs' },
  backup: { page: 'operations', section: 'Backup' },
  accessible: { page: 'operations', section: 'Screen readers' },
  environment: { page: 'settings', section: 'The environment' },
  verify: { page: 'audit', section: 'What proves what' },
};

const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

const pageNames = (): readonly string[] =>
  readdirSync(FOLDER).flatMap((name) => (name.endsWith('.md') ? [name.replace(/\.md$/, '')] : []));

/** Topics that are told by a page. */
export const pageTopics = (): readonly string[] => [
  ...pageNames().map((name) => (name === INDEX ? INDEX_TOPIC : name)),
  ...Object.keys(sections),
];

/** What pages say of a topic, in any case, as lines for a terminal; undefined where no page is about it. */
export function pageAbout(topic: string): readonly string[] | undefined {
  const known = pageTopics().find((name) => name === topic.toLowerCase());
  if (known === undefined) return undefined;
  const place = Object.hasOwn(sections, known) ? sections[known] : undefined;
  const page = read(`${place?.page ?? (known === INDEX_TOPIC ? INDEX : known)}.md`);
  const part = place ? sectionOf(page, place.section) : page;
  return part === undefined ? undefined : pageText(part);
}
