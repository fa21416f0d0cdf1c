/** The few pieces of XML that all parts of a workbook are made of. Source of what they hold: ECMA-376 part 1. */

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const MARKUP = /[&<>]/;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const entityOf = (character: string): string => entities[character] ?? `&#${character.charCodeAt(0)};`;

/** Text between tags. It is one that XML can hold: `safeText` and `storedText` make it so. */
export const xmlText = (text: string): string => (MARKUP.test(text) ? text.replace(/[&<>]/g, entityOf) : text);

/** Text in a quoted attribute, where lines and tabs would become blanks. */
export const xmlAttribute = (text: string): string => text.replace(/[&<>"\n\t]/g, entityOf);

/** A text between tags that keeps its blanks at both ends. */
export const preserved = (text: string): string => `<t xml:space="preserve">${xmlText(text)}</t>`;

/** A list with its count, and nothing for an empty one. */
export const listXml = (name: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `<${name} count="${items.length}">${items.join('')}</${name}>`;

const SCHEMAS = 'http://schemas.openxmlformats.org';

/** Namespaces, and what types of relationships begin with. */
export const namespaces = {
  main: `${SCHEMAS}/spreadsheetml/2006/main`,
  relations: `${SCHEMAS}/officeDocument/2006/relationships`,
  packageRelations: `${SCHEMAS}/package/2006/relationships`,
  packageTypes: `${SCHEMAS}/package/2006/content-types`,
  packageProperties: `${SCHEMAS}/package/2006/metadata/core-properties`,
  officeProperties: `${SCHEMAS}/officeDocument/2006/extended-properties`,
  drawing: `${SCHEMAS}/drawingml/2006/main`,
  sheetDrawing: `${SCHEMAS}/drawingml/2006/spreadsheetDrawing`,
} as const;
