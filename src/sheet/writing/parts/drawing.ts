/** Pictures on a worksheet, each with its alternative text. Source: ECMA-376 part 1, 20.5 (SpreadsheetML drawing). */
import { escaped } from '../../../domain/markup-text.ts';
import { Relations } from './relations.ts';
import { namespaces, XML_HEAD } from './xml.ts';

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

/** The images of a drawing, in the order of its pictures. */
export function drawingRelations(images: readonly string[]): Relations {
  const relations = new Relations();
  for (const image of images) relations.add(`${namespaces.relations}/image`, `../media/${image}`);
  return relations;
}

export const drawingXml = (pictures: readonly SheetPicture[]): string =>
  `${XML_HEAD}<xdr:wsDr xmlns:xdr="${namespaces.sheetDrawing}" xmlns:a="${namespaces.drawing}" xmlns:r="${namespaces.relations}">${pictures.map(anchorXml).join('')}</xdr:wsDr>`;

function anchorXml({ name, description, column, row, width, height }: SheetPicture, index: number): string {
  const [cx, cy] = [width, height].map((pixels) => Math.round(pixels * EMU_PER_PIXEL));
  const from = `<xdr:col>${column - 1}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row - 1}</xdr:row><xdr:rowOff>${BELOW_LINE * EMU_PER_PIXEL}</xdr:rowOff>`;
  const named = `<xdr:cNvPr id="${index + 2}" name="${escaped(name)}" descr="${escaped(description)}"/>`;
  const shape = `<a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`;
  return `<xdr:oneCellAnchor><xdr:from>${from}</xdr:from><xdr:ext cx="${cx}" cy="${cy}"/><xdr:pic><xdr:nvPicPr>${named}<xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId${index + 1}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr>${shape}</xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor>`;
}
