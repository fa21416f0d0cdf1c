/**
 * Parts of the documentation that are made of the program's own tables. They stand between two comments, `made: NAME` and `end`; `npm
 * run docs` writes them, and a test fails while one differs.
 */
import { settingsJsonSchema } from '../../../src/cli/config/config-schema.ts';
import { environmentNames } from '../../../src/cli/config/environment-names.ts';
import { exitMeanings } from '../../../src/cli/help/exit-meanings.ts';
import { outcomes, outcomeTable } from '../../../src/domain/outcome.ts';
import { columnDescriptions, kinds } from '../../../src/kinds/index.ts';
import { type SettingRow, type SettingSchema, settingsOf } from './settings-page.ts';

const settings = settingsOf(settingsJsonSchema() as SettingSchema);

/** Settings of an account, and those of the remitter, stand apart, without what all their names begin with. */
const ACCOUNT = 'profiles.NAME.';
const REMITTER = 'remitter.';
const isApart = (name: string): boolean => name.startsWith(ACCOUNT) || name.startsWith(REMITTER);

const settingList = (rows: readonly SettingRow[]): readonly string[] =>
  rows.map(({ name, takes, initial, says }) => {
    const value = [...(takes === 'text' ? [] : [takes]), ...(initial === '' ? [] : [`default ${initial}`])].join('; ');
    return `- \`${name.replace(ACCOUNT, '')}\`${value === '' ? '' : ` (${value})`}: ${says}`;
  });

/** All fields of the remitter are texts that their names explain. */
const remitterFields = settings
  .filter(({ name }) => name.startsWith(REMITTER))
  .map(({ name }) => `\`${name.slice(REMITTER.length)}\``);

/** Where a sheet has no column of names, rows of these kinds are called by their payee. */
const everyNamedRow = `every row, if the sheet has the column; ${kinds
  .filter(({ needsName }) => needsName)
  .map(({ title }) => title)
  .join(', ')} always`;

const parts: Readonly<Record<string, () => readonly string[]>> = {
  'exit-codes': () =>
    table(
      ['Exit', 'Was anything sent?', 'Meaning'],
      exitMeanings.map(({ codes, says, sent = '' }) => [codes.join(', '), sent, says]),
    ),
  outcomes: () =>
    table(
      ['Outcome', 'What it means'],
      outcomes.map((outcome) => {
        const { title, says } = outcomeTable[outcome];
        return [`\`${title}\``, says];
      }),
    ),
  columns: () =>
    columnDescriptions().map(({ id, heading, help, neededFor, example }) => {
      const needed =
        neededFor.length === kinds.length ? (id === 'name' ? everyNamedRow : 'every row') : neededFor.join(', ');
      return `- **${heading}**${needed === '' ? '' : ` (needed for ${needed})`}: ${help}${example === '' ? '' : ` Example: ${example}`}`;
    }),
  settings: () => [
    '### For every account',
    '',
    ...settingList(settings.filter(({ name }) => !isApart(name))),
    '',
    `\`remitter\` says who pays, with the texts ${remitterFields.join(', ')}. Days are year/month/day, \`country\` is two capital letters.`,
    '',
    '### For one account, below `profiles.NAME`',
    '',
    ...settingList(settings.filter(({ name }) => name.startsWith(ACCOUNT))),
  ],
  environment: () =>
    environmentNames.map(({ name, says, setting, flag }) => {
      const beside = [
        ...(setting === undefined ? [] : [`overrides \`${setting.replace(ACCOUNT, '')}\``]),
        ...(flag === undefined ? [] : [`overridden by \`${flag}\``]),
      ];
      return `- \`${name}\`${beside.length > 0 ? ` (${beside.join(', ')})` : ''}: ${says}`;
    }),
};

/** A bar within a cell would end it. */
const escaped = (cell: string): string => cell.replaceAll('|', '\\|');

/** As the formatter aligns it. */
function table(heading: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const cells = [heading, ...rows].map((row) => row.map(escaped));
  const widths = heading.map((_, at) => Math.max(3, ...cells.map((row) => [...(row[at] ?? '')].length)));
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, at) => (row[at] ?? '') + ' '.repeat(width - [...(row[at] ?? '')].length)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [first = [], ...others] = cells;
  return [line(first), rule, ...others.map(line)];
}

const MADE = /(<!-- made: ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** The names of the parts that a page has. */
export const partsIn = (page: string): readonly string[] => [...page.matchAll(MADE)].map(([, , name = '']) => name);

/** The page with its made parts as the tables are now. */
export const madeAnew = (page: string): string =>
  page.replaceAll(MADE, (_, begin: string, name: string, end: string) => {
    const part = parts[name];
    if (!part) throw new Error(`no part of the documentation is called ${name}`);
    return `${begin}\n${part().join('\n').trim()}\n\n${end}`;
  });
