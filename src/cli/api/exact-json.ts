/** JSON whose numbers mean the same when they are written again: a digit that is lost on the way could be money. */

export interface ExactJson {
  readonly value: unknown;
  /** Numbers of the text that this computer would change. */
  readonly inexact: readonly string[];
}

/** Reads JSON. Throws a SyntaxError for what is none. */
export function parseExactJson(text: string): ExactJson {
  const inexact: string[] = [];
  const keep = (_key: string, value: unknown, context?: { readonly source?: string }): unknown => {
    const source = context?.source;
    if (typeof value === 'number' && source !== undefined && plain(source) !== plain(String(value))) {
      inexact.push(source);
    }
    return value;
  };
  return { value: JSON.parse(text.replace(/^\uFEFF/, ''), keep), inexact };
}

/** A JSON number as its digits without zeros at either end, and the power of ten of the last of them. */
function plain(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
