/** Draws plots as pictures for files that cannot hold SVG. Only this file knows the library that draws, and the font. */
import { fileURLToPath } from 'node:url';
import type { ResvgRenderOptions } from '@resvg/resvg-js';

/** Draws an SVG element as a PNG file. */
export type DrawPicture = (svg: string) => Uint8Array;

/** Returns the function that draws; `undefined` if this installation cannot draw on this system. */
export type PictureDrawer = () => Promise<DrawPicture | undefined>;

/** The only font of all pictures: fonts of the system would make different pictures on another machine. */
const FONT = { family: 'DejaVu Sans', file: fileURLToPath(new URL('DejaVuSans.ttf', import.meta.url)) } as const;

/** Width of pictures, in pixels: about twice the width at which they are shown, so that they are sharp on paper. */
const WIDTH_PIXELS = 960;

/** Loads the drawing library of this installation. */
export const pictureDrawer: PictureDrawer = async () => {
  const library = await import('@resvg/resvg-js').catch(() => undefined);
  if (library === undefined) return undefined;
  const { Resvg } = library;
  const options: ResvgRenderOptions = {
    font: { loadSystemFonts: false, fontFiles: [FONT.file], defaultFontFamily: FONT.family },
    fitTo: { mode: 'width', value: WIDTH_PIXELS },
    background: '#ffffff',
  };
  return (svg) => new Resvg(svg, options).render().asPng();
};
