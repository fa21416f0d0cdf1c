/** JSON whose numbers mean the same when they are written again: a digit that is lost on the way could be money. */

export interface ExactJson {
  readonly value: unknown;
  /** Numbers of the text that this computer would change. */
  readonly inexact: readonly string[];
}

/** Objects and lists around each other; the deepest body of the specification has 4. */
const DEPTH_MAX = 64;

/** Reads JSON. Throws a SyntaxError for what is none, or is nested so deeply that nothing could read it part by part. */
export function parseExactJson(text: string): ExactJson {
  const inexact: string[] = [];
  const keep = (_key: string, value: unknown, context?: { readonly source?: string }): unknown => {
    const source = context?.source;
    if (typeof value === 'number' && source !== undefined && plain(source) !== plain(String(value))) {
      inexact.push(source);
    }
    return value;
  };
  const json = text.replace(/^\uFEFF/, '');
  if (depthOf(json) > DEPTH_MAX) throw new SyntaxError('nested too deeply');
  return { value: JSON.parse(json, keep), inexact };
}

/** The most brackets that are open at once, outside of texts. */
function depthOf(json: string): number {
  let [depth, deepest] = [0, 0];
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/gs)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
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
