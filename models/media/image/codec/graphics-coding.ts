import type { ImageSize } from '../../../core/runtime/raster.ts';
import type { GraphicsMeasure } from '../../../kernels/raster/measure-graphics.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { getFormat } from '../find-format.ts';

/** Coding of a drawing in place of the format's usual one. */
export interface GraphicsCoding {
  /** 1 to 100, on our scale. */
  readonly quality: number;
  /** Resolution of the colours: that of the lightness, or half of it; `sharp` corrects edges for that (sharp YUV). */
  readonly chroma: '4:4:4' | '4:2:0' | 'sharp';
  /**
   * WebP without loss, by libwebp's scale of preprocessing: 100 keeps every sample, 60 changes some by 2 levels of 255
   * at most, 40 by 4, 20 by 8. Lossy when absent.
   */
  readonly losslessLevel?: number;
}

/** Codings of one image, to try in order. */
export interface GraphicsPlan {
  readonly codings: readonly GraphicsCoding[];
  /** Largest size of an accepted file, as a share of the usual one. */
  readonly growthMax: number;
  /** Coding that is accepted at any size when no other one is small enough; the usual one when absent. */
  readonly last?: GraphicsCoding | undefined;
}

/**
 * Share of flat squares, and greatest share of soft ones, of an image that was drawn. Photographs have 0.13 or more.
 */
const DRAWN = { flatMin: 0.5, softMax: 0.1 };
/**
 * Least share of squares that lose their colour. Of 180 photographs all but one have less: at most 0.031, and less
 * than 0.005 where much is flat. Drawings and coloured captions have 0.047 and more.
 */
const COLOUR_EDGES = { flatFrom: 0.3, inFlat: 0.01, elsewhere: 0.06 };
/** A third more bytes than usual buy colours that are right. */
const GROWTH_MAX = 4 / 3;
/** Steps by which a JPEG of full colour resolution lowers its quality to stay within that growth. */
const JPEG_STEPS = [0, 2, 4, 6, 9, 12, 16];
/** Level of preprocessing that keeps every sample. */
export const LOSSLESS_LEVEL_MAX = 100;
const LOSSLESS_LEVELS = [LOSSLESS_LEVEL_MAX, 60, 40, 20];
/** Pixels of an image up to which coding without loss takes seconds. */
const LOSSLESS_PIXELS_MAX = 16_000_000;
/** Size of a file from which on coarser codings are not tried, as a share of the largest accepted one. */
const REACH = 3;

/** Reports whether an image consists of flat areas and hard edges. */
export function isDrawing({ flatShare, softShare }: GraphicsMeasure): boolean {
  return flatShare >= DRAWN.flatMin && softShare < DRAWN.softMax;
}

/** Reports whether an image visibly changes when its colours get half the resolution. */
export function hasColourEdges({ flatShare, colourEdges }: GraphicsMeasure): boolean {
  const { flatFrom, inFlat, elsewhere } = COLOUR_EDGES;
  return colourEdges > (flatShare >= flatFrom ? inFlat : elsewhere);
}

/**
 * Plans how an image is coded in place of the usual way.
 * @param quality 1 to 100, on our scale
 * @returns null for photographs, and where the format needs no other coding
 */
export function planGraphics(
  measure: GraphicsMeasure,
  { format, quality, width, height }: { readonly format: string; readonly quality: number } & ImageSize,
): GraphicsPlan | null {
  const isColoured = hasColourEdges(measure);
  if (!isColoured && !isDrawing(measure)) return null;
  const { drawings } = getFormat(format);
  if (drawings === 'full-chroma') return planFullChroma(quality, isColoured);
  if (drawings === 'unfiltered') {
    return isDrawing(measure) ? { codings: [], growthMax: 1, last: { quality, chroma: '4:4:4' } } : null;
  }
  if (drawings !== 'lossless') return null;
  const sharp: GraphicsCoding = { quality, chroma: 'sharp' };
  if (width * height > LOSSLESS_PIXELS_MAX)
    return isColoured ? { codings: [], growthMax: 1, last: sharp } : null;
  const [whole, ...others] = LOSSLESS_LEVELS.map(
    (losslessLevel): GraphicsCoding => ({ quality, chroma: '4:4:4', losslessLevel }),
  ) as [GraphicsCoding, ...GraphicsCoding[]];
  if (quality === 100) return { codings: [], growthMax: 1, last: whole };
  return isColoured
    ? { codings: [whole, ...others], growthMax: GROWTH_MAX, last: sharp }
    : { codings: [whole], growthMax: 1 };
}

function planFullChroma(quality: number, isColoured: boolean): GraphicsPlan {
  const chroma = isColoured || quality === 100 ? '4:4:4' : '4:2:0';
  const steps = isColoured && quality < 100 ? JPEG_STEPS : [0];
  const codings = steps.map((step): GraphicsCoding => ({ quality: Math.max(1, quality - step), chroma }));
  return { codings: codings.slice(0, -1), growthMax: GROWTH_MAX, last: codings.at(-1) };
}

/**
 * Encodes an image by the first coding of its plan whose file is small enough.
 * @param encode takes no coding for the usual file
 */
export async function encodeByPlan(
  { codings, growthMax, last }: GraphicsPlan,
  encode: (coding?: GraphicsCoding) => Promise<Bytes>,
): Promise<Bytes> {
  if (codings.length > 0) {
    const usual = await encode();
    const bytesMax = usual.length * growthMax;
    for (const coding of codings) {
      const file = await encode(coding);
      if (file.length <= bytesMax) return file;
      if (file.length > bytesMax * REACH) break;
    }
    if (!last) return usual;
  }
  return encode(last);
}
