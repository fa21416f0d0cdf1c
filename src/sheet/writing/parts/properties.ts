/** What a workbook says of itself beside its worksheets. Source: ECMA-376 part 2, section 11, and part 1, section 22.2. */
import { namespaces, XML_HEAD, xmlText } from './xml.ts';

export interface BookProperties {
  readonly title: string;
  readonly keywords?: string;
  /** When it was made, in wall-clock milliseconds; nothing is said of it when not given. */
  readonly madeAt?: number | undefined;
}

const AUTHOR = 'paybatch';

export function packagePropertiesXml({ title, keywords, madeAt }: BookProperties): string {
  const time = madeAt === undefined ? undefined : new Date(madeAt).toISOString().replace(/\.\d+/, '');
  const dated = (name: string): string =>
    time === undefined ? '' : `<dcterms:${name} xsi:type="dcterms:W3CDTF">${time}</dcterms:${name}>`;
  const words = keywords === undefined ? '' : `<cp:keywords>${xmlText(keywords)}</cp:keywords>`;
  return `${XML_HEAD}<cp:coreProperties xmlns:cp="${namespaces.packageProperties}" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${xmlText(title)}</dc:title><dc:creator>${AUTHOR}</dc:creator>${words}<cp:lastModifiedBy>${AUTHOR}</cp:lastModifiedBy>${dated('created')}${dated('modified')}</cp:coreProperties>`;
}

/** Names the program whose way of calculating the results follow, which is how those are believed without being calculated anew. */
export function officePropertiesXml(worksheets: readonly string[]): string {
  const types = 'http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes';
  const names = worksheets.map((name) => `<vt:lpstr>${xmlText(name)}</vt:lpstr>`).join('');
  const count = `<vt:vector size="2" baseType="variant"><vt:variant><vt:lpstr>Worksheets</vt:lpstr></vt:variant><vt:variant><vt:i4>${worksheets.length}</vt:i4></vt:variant></vt:vector>`;
  return `${XML_HEAD}<Properties xmlns="${namespaces.officeProperties}" xmlns:vt="${types}"><Application>Microsoft Excel</Application><HeadingPairs>${count}</HeadingPairs><TitlesOfParts><vt:vector size="${worksheets.length}" baseType="lpstr">${names}</vt:vector></TitlesOfParts><AppVersion>16.0300</AppVersion></Properties>`;
}
