import { progressSpan } from '../../../core/runtime/progress.ts';
import type { FloatImage, Raster } from '../../../core/runtime/raster.ts';
import { LineSampler, lerp } from '../../../kernels/raster/line-sampler.ts';
import { resizeColours } from '../../../kernels/resize/resize.ts';
import { blendPieces, type Pieces } from './blend-pieces.ts';
import { type FillOptions, fillCanvas } from './fill-canvas.ts';
import { type Canvas, clamp, forEachUnknownRun, reduceCanvas } from './fill-level.ts';
import { pixelSources } from './pixel-sources.ts';
import { placeRaster } from './place-raster.ts';
import { toneCorrection } from './tone-correction.ts';

/**
 * Pixels of the canvas up to which patches are compared; in a larger one, their pieces are copied from the same places.
 */
const SEARCH_PIXELS_MAX = 800_000;
/** Shares of the run time after which pieces are found and copied. */
const [FOUND, COPIED] = [0.8, 0.85];

/**
 * Extends an image from itself: each new pixel copies a kept one whose surroundings fit.
 * @param image pixels that are kept; as large as `canvas.kept`
 * @param guide rough content of the whole canvas in red, green and blue, 0 to 1, to follow; the image alone when absent
 * @returns the canvas, of the same depth
 */
export function extendRaster(
  image: Raster,
  canvas: Canvas,
  { guide, ...options }: FillOptions & { readonly guide?: FloatImage | undefined },
): Raster {
  const { signal, onProgress } = options;
  const { width, height, kept } = canvas;
  const factor = Math.max(1, Math.sqrt((width * height) / SEARCH_PIXELS_MAX));
  const { level, field } = fillCanvas(
    reduceCanvas(canvas, factor),
    (reduced) => levels(resizeColours(image, reduced.width, reduced.height)),
    {
      ...options,
      guide: guide && levels(guide),
      onProgress: progressSpan(onProgress, 0, FOUND),
    },
  );
  const sources = pixelSources(level, field);
  const pieces: Pieces = {
    raster: placeRaster(image, canvas),
    kept,
    sourceOf(x, y) {
      const levelX = Math.min(level.width - 1, Math.floor(((x + 0.5) * level.width) / width));
      const levelY = Math.min(level.height - 1, Math.floor(((y + 0.5) * level.height) / height));
      const place = levelY * level.width + levelX;
      // Where rounding takes a pixel beside the kept ones for one of them, it copies the nearest.
      const chosen = sources[place];
      const source = chosen < 0 ? place : chosen;
      const across = (source % level.width) - levelX;
      const down = Math.floor(source / level.width) - levelY;
      return (
        clamp(y + Math.round(down * factor), kept.top, kept.top + kept.height - 1) * width +
        clamp(x + Math.round(across * factor), kept.left, kept.left + kept.width - 1)
      );
    },
  };
  copyPieces(pieces, guide ? null : toneCorrection(level, sources));
  onProgress({ fraction: COPIED });
  blendPieces(pieces, { signal, onProgress: progressSpan(onProgress, COPIED, 1) });
  return pieces.raster;
}

/**
 * Copies each unknown pixel from its source, in place.
 * @param correction of red, green and blue, of 255, at any resolution, which is added; null for none
 */
function copyPieces({ raster, kept, sourceOf }: Pieces, correction: FloatImage | null): void {
  const { width, height, data } = raster;
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  const corrections = correction && new LineSampler(correction, width, height);
  forEachUnknownRun({ width, height, kept }, (y, from, end) => {
    corrections?.seek(y, corrections.columnsOf(from, end));
    for (let x = from; x < end; x++) {
      const source = sourceOf(x, y) * 4;
      const to = (y * width + x) * 4;
      data.copyWithin(to, source, source + 4);
      if (!corrections) continue;
      const { line, left, share } = corrections;
      for (let channel = 0; channel < 3; channel++) {
        const added = lerp(line, left[x] + channel, 3, share[x]);
        const colour = data[to + channel] + (added * most) / 255;
        data[to + channel] = clamp(Math.round(colour), 0, most);
      }
    }
  });
}

/** Returns samples from 0 to 255, as thresholds are given in them. */
function levels(image: FloatImage): FloatImage {
  return { ...image, data: image.data.map((value) => value * 255) };
}
