import path from 'node:path';
import { type HeadingMapping, mappingRecord } from '../../batch/heading-mapping.ts';
import { readHeadings } from '../../batch/learn-mapping.ts';
import { HEADING_ROWS_MAX, matchHeadings } from '../../batch/match-headings.ts';
import { Fault } from '../../domain/fault.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { columnDescriptions } from '../../kinds/index.ts';
import { openSheet } from '../../sheet/open-sheet.ts';
import { issueFix, issueMessage } from '../../texts/issue-message.ts';
import { cliCommand } from '../command.ts';
import { declareFile, fileReadingOf, sheetPath } from '../flags/sheet-options.ts';
import { answered } from '../screens/answered.ts';
import { decidedBy, decideRest, headingsOf } from '../screens/ask-columns.ts';
import { mappingName, saveMapping } from '../state/mapping-file.ts';

const together = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  value,
];

export const map = cliCommand({
  example: 'paybatch map november.xlsx --save payroll',
  moreExamples: [
    'paybatch map november.xlsx --save payroll --column amount="Net to pay"',
    'paybatch map november.xlsx --save payroll --ignore "Amount (USD)"',
  ],
  declare(command) {
    return declareFile(command)
      .requiredOption('--save <name>', 'name of the mapping')
      .option(
        '--column <column=heading>',
        'which heading a column has, for example amount="Net to pay"; repeatable',
        together,
      )
      .option('--ignore <heading>', 'a heading that means nothing; repeatable', together);
  },
  async run(shell, [sheet], options) {
    const name = mappingName(options.save);
    const flags = { columns: options.column ?? [], ignored: options.ignore ?? [] };
    const columns = columnDescriptions();
    const { home } = shell.config();
    const opened = await openSheet(sheetPath(shell, sheet), fileReadingOf(options));
    try {
      const { worksheet } = opened;
      shell.reporter.tell({ type: 'sheet', name: opened.name, ...(worksheet !== undefined && { worksheet }) });
      const found = await readHeadings(opened.rows(), columns, headingsOf(flags));
      if (!found) throw noHeadings();
      const headings = await decideRest(found, columns, decidedBy(flags, found, columns), shell);
      const mapping: HeadingMapping = { name, headings };
      const matched = matchHeadings(found.row, columns, mapping);
      const [wrong] = matched.issues;
      if (wrong) {
        const named = { ...wrong, parameters: { ...wrong.parameters, sheet: typedPath(opened.name) } };
        throw new Fault('usage', issueMessage(named), issueFix(named));
      }
      const record = mappingRecord(mapping);
      shell.reporter.tell({
        type: 'columns',
        headerRow: matched.headerRow,
        headings: matched.headings,
        mapping: record,
      });
      const file = await saveMapping(home, mapping);
      const said = `${headings.length === 0 ? 'Every heading was known without it. ' : ''}Use it with: paybatch validate ${path.basename(opened.name)} --map ${name}`;
      shell.reporter.tell({ type: 'notice', level: 'info', message: said });
      return answered(shell, { type: 'mapping', ...record, path: file }, [], [{ kind: 'mapping', path: file }]);
    } finally {
      await opened.close();
    }
  },
});

const noHeadings = (): Fault =>
  new Fault(
    'sheet-refused',
    `The first ${HEADING_ROWS_MAX} rows hold no headings.`,
    'Put the headings above the rows, or choose another worksheet with --worksheet.',
  );
