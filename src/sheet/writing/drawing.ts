/**
 * Builds the drawing that puts pictures on a worksheet, each with its alternative text. Source: ECMA-376 part 1, 20.5
 * (SpreadsheetML drawing).
 */
import { escaped } from '../../domain/shown-text.ts';

/** A picture whose upper left corner is in a given cell. */
export interface SheetPicture {
  readonly name: string;
  /** Alternative text, for people who cannot see the picture. */
  readonly description: string;
  /** Content of a PNG file. */
  readonly png: Uint8Array;
  /** Column and row of the cell, counted from 1. */
  readonly column: number;
  readonly row: number;
  /** Width and height as shown, in pixels of 1/96 inch. */
  readonly width: number;
  readonly height: number;
}

/** English metric units (EMU), in which DrawingML measures, per pixel of 1/96 inch. */
const EMU_PER_PIXEL = 9525;
/** Distance of a picture from the upper edge of its cell, in pixels, so that the line between two rows stays visible. */
const BELOW_LINE = 3;

const SCHEMAS = 'http://schemas.openxmlformats.org';
/** Beginning of all relationship types. */
export const RELATIONS = `${SCHEMAS}/officeDocument/2006/relationships`;
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Returns the part that lists the image files of a drawing, in the order of its pictures. */
export const drawingRelationsXml = (files: readonly string[]): string =>
  `${HEAD}<Relationships xmlns="${SCHEMAS}/package/2006/relationships">${files
    .map((file, index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/image" Target="../media/${file}"/>`)
    .join('')}</Relationships>`;

export const drawingXml = (pictures: readonly SheetPicture[]): string =>
  `${HEAD}<xdr:wsDr xmlns:xdr="${SCHEMAS}/drawingml/2006/spreadsheetDrawing" xmlns:a="${SCHEMAS}/drawingml/2006/main" xmlns:r="${RELATIONS}">${pictures.map(anchorXml).join('')}</xdr:wsDr>`;

function anchorXml({ name, description, column, row, width, height }: SheetPicture, index: number): string {
  const [cx, cy] = [width, height].map((pixels) => Math.round(pixels * EMU_PER_PIXEL));
  const from = `<xdr:col>${column - 1}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row - 1}</xdr:row><xdr:rowOff>${BELOW_LINE * EMU_PER_PIXEL}</xdr:rowOff>`;
  const named = `<xdr:cNvPr id="${index + 2}" name="${escaped(name)}" descr="${escaped(description)}"/>`;
  const shape = `<a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`;
  return `<xdr:oneCellAnchor><xdr:from>${from}</xdr:from><xdr:ext cx="${cx}" cy="${cy}"/><xdr:pic><xdr:nvPicPr>${named}<xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId${index + 1}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr>${shape}</xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor>`;
}
