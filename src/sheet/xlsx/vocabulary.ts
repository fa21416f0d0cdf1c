/** The namespaces and relationship types of SpreadsheetML (ECMA-376): transitional, as Excel writes it, and strict. */
export const spreadsheetNamespaces: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
]);

/** The namespaces of drawings on worksheets and of their content. */
export const drawingNamespaces: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing',
  'http://schemas.openxmlformats.org/drawingml/2006/main',
  'http://purl.oclc.org/ooxml/drawingml/spreadsheetDrawing',
  'http://purl.oclc.org/ooxml/drawingml/main',
]);

export const relationshipNamespaces: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/package/2006/relationships',
]);

export const contentTypeNamespaces: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/package/2006/content-types',
]);

const relationshipPrefixes = [
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships/',
  'http://purl.oclc.org/ooxml/officeDocument/relationships/',
];

export type RelationshipKind =
  | 'officeDocument'
  | 'worksheet'
  | 'sharedStrings'
  | 'styles'
  | 'comments'
  | 'drawing'
  | 'image';

/** Reports whether a relationship type means this kind, in its transitional or strict spelling. */
export const isRelationship = (type: string, kind: RelationshipKind): boolean =>
  relationshipPrefixes.some((prefix) => type === prefix + kind);

/** Reports whether an on/off attribute is on: `1`, `true` and, in old files, `on`. */
export const isOn = (value: string | undefined): boolean => value === '1' || value === 'true' || value === 'on';
