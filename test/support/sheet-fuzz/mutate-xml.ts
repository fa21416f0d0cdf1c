/** Changes to one XML part that know tags, attributes, entities and text. */
import type { Chance } from '../seeded-random.ts';

const numbers = [
  '0',
  '-1',
  '1',
  '2',
  '99999999999',
  '1e9',
  '0x1',
  '',
  ' 1',
  '1 ',
  '1.5',
  'NaN',
  '4294967296',
  '1048577',
];
const references = [
  'A1',
  'a1',
  'A0',
  'B2',
  'XFD1',
  'XFE1',
  'AAAA1',
  '1A',
  'A',
  '$A$1',
  'A1:B2',
  'A 1',
  'A01',
  'R1C1',
  'Ａ1',
];
const names = [
  'row',
  'c',
  'v',
  'f',
  'is',
  't',
  'si',
  'r',
  'sheet',
  'sheetData',
  'mergeCell',
  'x',
  'xf',
  'rPh',
  'worksheet',
];
const attributes = [
  ...[
    'hidden="1"',
    'hidden="true"',
    'r="3"',
    't="s"',
    't="e"',
    's="1"',
    'ht="0"',
    'xml:space="default"',
    '__proto__="1"',
  ],
  ...['xmlns="urn:x"', 'xmlns:x="urn:x"', 'r="A2"', 'r="A2" r="A3"', 'state="hidden"', 'customHeight="1"', 'si="0"'],
];
const snippets = [
  ...[
    '<!-- <row r="9"/> -->',
    '<![CDATA[5]]>',
    '<?pi x?>',
    '&lt;',
    '&#49;',
    '&#x31;',
    '&amp;#49;',
    '&nbsp;',
    '&x;',
    '&#0;',
    '&#xD800;',
  ],
  ...[
    '<!DOCTYPE a>',
    '<v>1</v>',
    '<f>A1</f>',
    '<row/>',
    '<row r="4"><c r="D4"><v>9</v></c></row>',
    '<c><v>5</v></c>',
    ']]>',
    '<',
    '>',
  ],
  ...[
    '<x:row xmlns:x="urn:x"><c r="A9"><v>1</v></c></x:row>',
    '<extLst><ext><row r="2"/></ext></extLst>',
    '\u0000',
    '\uffff',
    '\u2028',
  ],
  ...[
    '<mergeCells><mergeCell ref="A2:B2"/></mergeCells>',
    '<rPh><t>9</t></rPh>',
    '<is><t>7</t></is>',
    '_x0031_',
    '0',
    '9',
    '.',
  ],
  ...['<cols><col min="1" max="3" hidden="1"/></cols>', '<dimension ref="A1:B1"/>', '<mergeCell ref="A1:XFD1048576"/>'],
];

type XmlMutation = (xml: string, chance: Chance) => string;

const tag = /<[^<>]*>/g;

/** One found piece replaced; the text as it is when nothing is found. */
const replacing =
  (pattern: RegExp, change: (found: string, chance: Chance) => string): XmlMutation =>
  (xml, chance) => {
    const found = [...xml.matchAll(pattern)];
    if (found.length === 0) return xml;
    const { 0: text, index } = chance.pick(found);
    return xml.slice(0, index) + change(text, chance) + xml.slice(index + text.length);
  };

const mutations: readonly XmlMutation[] = [
  replacing(tag, () => ''),
  replacing(tag, (found) => found + found),
  replacing(tag, (found, chance) => found.replace(/^(<\/?)[\w:]+/, `$1${chance.pick(names)}`)),
  replacing(/<[\w:]+/g, (found, chance) => `${found} ${chance.pick(attributes)}`),
  replacing(/ [\w:]+="[^"]*"/g, () => ''),
  replacing(/ [\w:]+="[^"]*"/g, (found, chance) => found.replace(/"[^"]*"/, `"${chance.pick(numbers)}"`)),
  replacing(/ r="[^"]*"/g, (_, chance) => ` r="${chance.pick(chance.onceIn(2) ? references : numbers)}"`),
  replacing(/ t="[^"]*"/g, (_, chance) => ` t="${chance.pick(['s', 'str', 'n', 'b', 'e', 'd', 'inlineStr', 'q'])}"`),
  replacing(/"[^"]*"/g, (found, chance) => `"${chance.pick(snippets).replaceAll('"', '')}${found.slice(1)}`),
  replacing(/>[^<>]+</g, (_, chance) => `>${chance.pick(numbers)}<`),
  replacing(/>[^<>]+</g, (found, chance) => `>${chance.pick(snippets)}${found.slice(1)}`),
  replacing(/>[^<>]+</g, (found) => `${found.slice(0, -1)}${found.slice(1, -1)}<`),
  replacing(/<row.*?<\/row>/g, () => ''),
  replacing(/<row.*?<\/row>/g, (found) => found + found),
  replacing(/<row.*?<\/row>/g, (found) => `<x>${found}</x>`),
  replacing(/<c .*?<\/c>/g, (found) => found + found),
  replacing(/<c .*?<\/c>/g, (found) => `<!--${found}-->`),
  replacing(/<\/[^<>]*>/g, (found, chance) => found + chance.pick(snippets)),
  (xml, chance) => inserted(xml, chance, chance.pick(snippets)),
  (xml, chance) => inserted(xml, chance, '<a>'.repeat(chance.pick([50, 150, 5_000]))),
  (xml, chance) => replacing(/<row/g, (found) => `${'<a>'.repeat(120)}${'</a>'.repeat(120)}${found}`)(xml, chance),
  (xml, chance) => inserted(xml, chance, 'x'.repeat(chance.pick([100, 40_000, 1_200_000]))),
  (xml, chance) => xml.slice(0, chance.below(xml.length + 1)),
  (xml) => xml.replace('UTF-8', 'ISO-8859-1'),
  (xml) => xml.replace('?>', '?><!DOCTYPE x [<!ENTITY e "1">]>'),
  (xml) => xml.replace(/xmlns="[^"]*"/, 'xmlns="urn:other"'),
  (xml) => xml.replace(/xmlns="[^"]*"/, ''),
];

function inserted(xml: string, chance: Chance, text: string): string {
  const at = chance.below(xml.length + 1);
  return xml.slice(0, at) + text + xml.slice(at);
}

export const mutateXml: XmlMutation = (xml, chance) => chance.pick(mutations)(xml, chance);
