/**
 * Notes at cells. Their words are one part; where their boxes stand is another in VML, which spreadsheet programs want beside it.
 * Source: ECMA-376 part 1, section 18.7, and part 4, section 19.4.
 */
import { namespaces, preserved, XML_HEAD } from './xml.ts';

export interface CellNote {
  /** Column and row of the cell, counted from 1. */
  readonly column: number;
  readonly row: number;
  readonly address: string;
  readonly text: string;
}

/** A size that fits a sentence or two. */
const FONT = '<rPr><sz val="9"/><rFont val="Calibri"/></rPr>';

export const notesXml = (notes: readonly CellNote[]): string =>
  `${XML_HEAD}<comments xmlns="${namespaces.main}"><authors><author>paybatch</author></authors><commentList>${notes
    .map(
      ({ address, text }) =>
        `<comment ref="${address}" authorId="0"><text><r>${FONT}${preserved(text)}</r></text></comment>`,
    )
    .join('')}</commentList></comments>`;

const SHAPE_TYPE =
  '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>';
const SHAPE_STYLE =
  'position:absolute; margin-left:105.3pt;margin-top:10.5pt;width:97.8pt;height:59.1pt;z-index:1;visibility:hidden';
/** Shapes of a worksheet are numbered from here. */
const FIRST_SHAPE = 1025;

/** The boxes: each beside its cell, shown while the pointer rests on it, and moved and sized with the cells. */
export const noteBoxesXml = (notes: readonly CellNote[]): string =>
  `<xml xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout>${SHAPE_TYPE}${notes.map(boxXml).join('')}</xml>`;

function boxXml({ column, row }: CellNote, index: number): string {
  const top = Math.max(row - 2, 0);
  // Column and row of the upper left corner with offsets in pixels, then those of the lower right one.
  const anchor = [column, 6, top, 14, column + 2, 2, top + 4, 16].join(', ');
  const data = `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor><x:Locked>True</x:Locked><x:AutoFill>False</x:AutoFill><x:LockText>True</x:LockText><x:Row>${row - 1}</x:Row><x:Column>${column - 1}</x:Column></x:ClientData>`;
  return `<v:shape id="_x0000_s${FIRST_SHAPE + index}" type="#_x0000_t202" style="${SHAPE_STYLE}" fillcolor="infoBackground [80]" strokecolor="none [81]" o:insetmode="auto"><v:fill color2="infoBackground [80]"/><v:shadow color="none [81]" obscured="t"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto" inset="1.3mm,1.3mm,2.5mm,2.5mm"><div style="text-align:left"/></v:textbox>${data}</v:shape>`;
}
