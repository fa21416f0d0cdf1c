/**
 * Pictures on a worksheet, each with its alternative text. exceljs's streaming writer knows none, and its other one writes no such
 * text, so the drawing is written here. Source: ECMA-376 part 1, 20.5 (SpreadsheetML drawing).
 */
import type { Worksheet } from 'exceljs';
import { escaped } from '../../domain/markup-text.ts';
import type { PartedBook } from './workbook-parts.ts';

/** A picture whose upper left corner stands in that of a cell. */
export interface SheetPicture {
  readonly name: string;
  /** What it shows, for who does not see it. */
  readonly description: string;
  /** A PNG file. */
  readonly png: Uint8Array;
  /** Column and row of the cell, counted from 1. */
  readonly column: number;
  readonly row: number;
  /** As large as it is shown, in pixels of 1/96 inch. */
  readonly width: number;
  readonly height: number;
}

/** What DrawingML measures in. */
const EMU_PER_PIXEL = 9525;
/** Pixels below the upper edge of its cell, so that the line between two rows is seen. */
const BELOW_LINE = 3;

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DRAWING_TYPE = 'application/vnd.openxmlformats-officedocument.drawing+xml';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The part of exceljs's streaming worksheet that its types leave out. What it says of notes comes just after a drawing. */
interface DrawnSheet {
  readonly id: number;
  readonly stream: { write(text: string): unknown };
  readonly _sheetRelsWriter: { addRelationship(relation: { Type: string; Target: string }): string };
  _writeLegacyData(): void;
}

/** Puts pictures on a worksheet that is not ended yet. */
export function putPictures(pictures: readonly SheetPicture[], sheet: Worksheet, book: PartedBook): void {
  if (pictures.length === 0) return;
  const drawn = sheet as unknown as DrawnSheet; // see DrawnSheet
  const name = `drawing${drawn.id}.xml`;
  const files = pictures.map(({ png }) => {
    const id = book.addImage({ buffer: Buffer.from(png) as never, extension: 'png' }); // its types know an older Buffer
    return `image${id}.png`;
  });
  book.addPart(`xl/drawings/${name}`, drawingXml(pictures), DRAWING_TYPE);
  book.addPart(`xl/drawings/_rels/${name}.rels`, relationsXml(files));
  const { _sheetRelsWriter: relations } = drawn;
  const relation = relations.addRelationship({ Type: `${RELATIONS}/drawing`, Target: `../drawings/${name}` });
  const writeNotes = drawn._writeLegacyData.bind(drawn);
  drawn._writeLegacyData = () => {
    drawn.stream.write(`<drawing r:id="${relation}"/>`);
    writeNotes();
  };
}

const relationsXml = (files: readonly string[]): string =>
  `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${files
    .map((file, index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/image" Target="../media/${file}"/>`)
    .join('')}</Relationships>`;

const drawingXml = (pictures: readonly SheetPicture[]): string =>
  `${HEAD}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${RELATIONS}">${pictures.map(anchorXml).join('')}</xdr:wsDr>`;

function anchorXml({ name, description, column, row, width, height }: SheetPicture, index: number): string {
  const [cx, cy] = [width, height].map((pixels) => Math.round(pixels * EMU_PER_PIXEL));
  const from = `<xdr:col>${column - 1}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row - 1}</xdr:row><xdr:rowOff>${BELOW_LINE * EMU_PER_PIXEL}</xdr:rowOff>`;
  const named = `<xdr:cNvPr id="${index + 2}" name="${escaped(name)}" descr="${escaped(description)}"/>`;
  const shape = `<a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`;
  return `<xdr:oneCellAnchor><xdr:from>${from}</xdr:from><xdr:ext cx="${cx}" cy="${cy}"/><xdr:pic><xdr:nvPicPr>${named}<xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId${index + 1}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr>${shape}</xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor>`;
}
