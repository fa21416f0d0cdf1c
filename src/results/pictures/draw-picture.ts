/** Plots as pictures for files that hold no SVG. The only place that knows who draws them, and with which font. */
import { fileURLToPath } from 'node:url';
import type { ResvgRenderOptions } from '@resvg/resvg-js';

/** Makes a PNG file of an SVG element. */
export type DrawPicture = (svg: string) => Uint8Array;

/** Finds out who draws; undefined where this installation has no part that does on this system. */
export type PictureDrawer = () => Promise<DrawPicture | undefined>;

/** The one font of all pictures: those of the system would make others on another machine. */
const FONT = { family: 'DejaVu Sans', file: fileURLToPath(new URL('DejaVuSans.ttf', import.meta.url)) } as const;

/** Twice as wide as pictures are shown, so that they are sharp on paper. */
const WIDTH_PIXELS = 960;

/** Who draws on this system. */
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
