import { type HeadingMapping, mappingRecord, nameForHeadings } from '../../batch/heading-mapping.ts';
import { readHeadings } from '../../batch/learn-mapping.ts';
import { HEADING_ROWS_MAX, headingsIn, matchHeadings } from '../../batch/match-headings.ts';
import { Fault } from '../../domain/fault.ts';
import { present } from '../../domain/present.ts';
import { typedSheet } from '../../domain/typed-path.ts';
import { columnDescriptions } from '../../kinds/index.ts';
import { openSheet } from '../../sheet/open-sheet.ts';
import { issueFix, issueMessage } from '../../texts/issue-message.ts';
import { answered, cliCommand } from '../command.ts';
import { severalTexts } from '../flags/options.ts';
import { declareFile, fileReadingOf, sheetPath } from '../flags/sheet-options.ts';
import { decidedBy, decideRest, headingsOf } from '../screens/ask-columns.ts';
import { mappingName, saveMapping } from '../state/mapping-file.ts';
export const map = cliCommand({
  example: 'paybatch map november.xlsx',
  moreExamples: [
    'paybatch map november.xlsx --column amount="Final pay"',
    'paybatch map november.xlsx --save payroll --ignore "Amount (USD)"',
  ],
  declare: (command) =>
    declareFile(command)
      .option(
        '--save <name>',
        'name of the mapping, for --map; without one it is used for sheets with the same headings',
      )
      .option(
        '--column <column=heading>',
        'which heading a column has, for example amount="Final pay"; repeatable',
        severalTexts,
      )
      .option('--ignore <heading>', 'a heading that means nothing; repeatable', severalTexts),
  async run(shell, [sheet], options) {
    const given = options.save === undefined ? undefined : mappingName(options.save);
    const flags = { columns: options.column ?? [], ignored: options.ignore ?? [] };
    const columns = columnDescriptions();
    const { home } = shell.config();
    await using opened = await openSheet(sheetPath(shell, sheet), fileReadingOf(shell, options));
    const { worksheet } = opened;
    shell.reporter.emit({ type: 'sheet', name: opened.name, ...present({ worksheet }) });
    const found = await readHeadings(opened.rows(), columns, headingsOf(flags));
    if (!found) throw noHeadings();
    const headings = await decideRest(found, columns, decidedBy(flags, found, columns), shell);
    const name = given ?? nameForHeadings(headingsIn(found.row));
    const mapping: HeadingMapping = { name, headings, ...present({ worksheet: opened.chosen }) };
    const matched = matchHeadings(found.row, columns, mapping);
    const wrong = matched.issues.find(({ level }) => level === 'error');
    if (wrong) {
      const named = { ...wrong, parameters: { ...wrong.parameters, sheet: typedSheet(sheet, opened.chosen) } };
      throw new Fault('usage', issueMessage(named), issueFix(named));
    }
    const record = mappingRecord(mapping);
    shell.reporter.emit({
      type: 'columns',
      headerRow: matched.headerRow,
      headings: matched.headings,
      mapping: record,
    });
    const file = saveMapping(home, mapping);
    const known = headings.length === 0 ? 'Every heading was known without it. ' : '';
    const validate = `paybatch validate ${typedSheet(sheet, opened.chosen)}`;
    const said =
      given === undefined
        ? `${known}It is used automatically for sheets with these headings: ${validate}`
        : `${known}Use it with: ${validate} --map ${given}`;
    shell.reporter.emit({ type: 'notice', level: 'info', message: said });
    return answered(shell, { type: 'mapping', ...record, path: file }, [], [{ kind: 'mapping', path: file }]);
  },
});

const noHeadings = (): Fault =>
  new Fault(
    'sheet-refused',
    `The first ${HEADING_ROWS_MAX} rows hold no headings.`,
    'Put the headings above the rows, or choose another worksheet with --worksheet.',
  );
