/** openpyxl as a second reader of the workbooks that we write: another program's opinion of what `readWorkbook` sees. */
import { execFileSync } from 'node:child_process';
import { needs } from '../needs.ts';
import { pythonWithOpenpyxl } from './python.ts';
import type { SeenWorkbook } from './seen-workbook.ts';

/** Skips a test where nobody else's opinion is to be had. */
export const needsOpenpyxl = needs(pythonWithOpenpyxl !== undefined, 'python3 with openpyxl');

const READ = `
import json, sys, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
def plain(value):
    return value if value is None or isinstance(value, (str, int, float, bool)) else value.isoformat()
def footer(parts):
    texts = [('L', parts.left.text), ('C', parts.center.text), ('R', parts.right.text)]
    return ''.join('&' + key + text for key, text in texts if text) or None
def seen(sheet):
    cells = {c.coordinate: {'value': plain(c.value), 'type': c.data_type, 'format': c.number_format}
             for row in sheet.iter_rows() for c in row if c.value is not None or c.number_format != 'General'}
    return {
        'state': sheet.sheet_state, 'freeze': sheet.freeze_panes, 'filter': sheet.auto_filter.ref,
        'titleRows': sheet.print_title_rows, 'printArea': [str(a) for a in ([sheet.print_area] if isinstance(sheet.print_area, str) else sheet.print_area or [])],
        'footer': footer(sheet.oddFooter),
        'landscape': sheet.page_setup.orientation == 'landscape', 'protected': bool(sheet.protection.sheet),
        'validations': [{'range': str(v.sqref), 'type': v.type, 'formula': v.formula1} for v in sheet.data_validations.dataValidation],
        'conditional': [{'range': str(f.sqref), 'formula': r.formula[0]} for f in sheet.conditional_formatting for r in f.rules],
        'notes': {c.coordinate: c.comment.text for row in sheet.iter_rows(max_row=2) for c in row if c.comment},
        'cells': cells,
    }
names = {n.name: n.attr_text for n in book.defined_names.definedName}
print(json.dumps({'sheets': {s.title: seen(s) for s in book.worksheets}, 'names': names}))
`;

/** The workbook at `path` as openpyxl reads it. */
export function readWithOpenpyxl(path: string): SeenWorkbook {
  const out = execFileSync(pythonWithOpenpyxl ?? 'python3', ['-c', READ, path], {
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  });
  return JSON.parse(out) as SeenWorkbook;
}
