/** Rules for what people type into a worksheet: what is allowed, and what is painted. Source: ECMA-376 part 1, section 18.3.1. */
import { listXml, xmlAttribute, xmlText } from './xml.ts';

/** What a range of cells takes; anything else is answered with a box. */
export interface InputRule {
  readonly range: string;
  /** The name of a list to choose from, or a number that has to be exceeded. */
  readonly allowed: { readonly list: string } | { readonly above: number };
  /** `stop` takes nothing else; `warning` does on request. */
  readonly answer: 'stop' | 'warning';
  /** At most 32 characters. */
  readonly title: string;
  /** At most 225 characters. */
  readonly message: string;
}

export function inputRulesXml(rules: readonly InputRule[]): string {
  const made = rules.map(({ range, allowed, answer, title, message }) => {
    const [type, formula] = 'list' in allowed ? ['list', allowed.list] : ['decimal', allowed.above];
    const operator = type === 'decimal' ? ' operator="greaterThan"' : '';
    return `<dataValidation type="${type}"${operator} allowBlank="1" showErrorMessage="1" errorStyle="${answer}" errorTitle="${xmlAttribute(title)}" error="${xmlAttribute(message)}" sqref="${range}"><formula1>${xmlText(String(formula))}</formula1></dataValidation>`;
  });
  return listXml('dataValidations', made);
}

/** A background that cells of a range have while a formula is true of the first of them. */
export interface Highlight {
  readonly range: string;
  readonly formula: string;
  /** Its number in the style sheet. */
  readonly style: number;
  /** The lowest one wins. */
  readonly priority: number;
}

export const highlightsXml = (highlights: readonly Highlight[]): string =>
  highlights
    .map(
      ({ range, formula, style, priority }) =>
        `<conditionalFormatting sqref="${range}"><cfRule type="expression" dxfId="${style}" priority="${priority}"><formula>${xmlText(formula)}</formula></cfRule></conditionalFormatting>`,
    )
    .join('');
