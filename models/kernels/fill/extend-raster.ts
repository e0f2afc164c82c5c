import { progressSpan } from '../../progress.ts';
import type { FloatImage, Raster } from '../../raster.ts';
import { resizeColours } from '../raster/resize.ts';
import { blendPieces, type Pieces } from './blend-pieces.ts';
import { type Canvas, type FillOptions, fillCanvas } from './fill-canvas.ts';
import { pixelSources } from './pixel-sources.ts';

/** Pixels of the canvas up to which patches are compared; in a larger one, their pieces are copied from the same places. */
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
  const found = fillCanvas(
    reduce(canvas, factor),
    (reduced) => levels(resizeColours(image, reduced.width, reduced.height)),
    {
      ...options,
      guide: guide && levels(guide),
      onProgress: progressSpan(onProgress, 0, FOUND),
    },
  );
  const steps = stepsOf(found.level.width, pixelSources(found.level, found.field));
  const pieces: Pieces = {
    raster: placeOn(canvas, image),
    kept,
    sourceOf(x, y) {
      const levelX = Math.min(found.level.width - 1, Math.floor(((x + 0.5) * found.level.width) / width));
      const levelY = Math.min(found.level.height - 1, Math.floor(((y + 0.5) * found.level.height) / height));
      const step = levelY * found.level.width + levelX;
      const sourceX = x + Math.round((steps.across[step] as number) * factor);
      const sourceY = y + Math.round((steps.down[step] as number) * factor);
      return (
        clamp(sourceY, kept.top, kept.top + kept.height - 1) * width +
        clamp(sourceX, kept.left, kept.left + kept.width - 1)
      );
    },
  };
  copyPieces(pieces);
  onProgress(COPIED);
  blendPieces(pieces, { signal, onProgress: progressSpan(onProgress, COPIED, 1) });
  return pieces.raster;
}

/** Reduces the canvas; its kept pixels get whole coordinates. */
function reduce({ width, height, kept }: Canvas, factor: number): Canvas {
  const left = Math.round(kept.left / factor);
  const top = Math.round(kept.top / factor);
  const across = Math.max(1, Math.round(kept.width / factor));
  const down = Math.max(1, Math.round(kept.height / factor));
  return {
    width: left + across + Math.round((width - kept.left - kept.width) / factor),
    height: top + down + Math.round((height - kept.top - kept.height) / factor),
    kept: { left, top, width: across, height: down },
  };
}

/** Steps from each pixel to the one that it copies. */
function stepsOf(
  width: number,
  sources: Int32Array,
): { readonly across: Int32Array; readonly down: Int32Array } {
  const across = new Int32Array(sources.length);
  const down = new Int32Array(sources.length);
  sources.forEach((source, place) => {
    if (source < 0) return;
    across[place] = (source % width) - (place % width);
    down[place] = Math.floor(source / width) - Math.floor(place / width);
  });
  return { across, down };
}

/** Makes an empty canvas with the image in its place. */
function placeOn({ width, height, kept }: Canvas, { data }: Raster): Raster {
  const size = width * height * 4;
  const placed = data instanceof Uint16Array ? new Uint16Array(size) : new Uint8Array(size);
  for (let y = 0; y < kept.height; y++) {
    const row = data.subarray(y * kept.width * 4, (y + 1) * kept.width * 4);
    placed.set(row, ((kept.top + y) * width + kept.left) * 4);
  }
  return { width, height, data: placed };
}

function copyPieces({ raster: { width, height, data }, kept, sourceOf }: Pieces): void {
  for (let y = 0; y < height; y++) {
    const isBeside = y >= kept.top && y < kept.top + kept.height;
    for (let x = 0; x < width; x++) {
      if (isBeside && x === kept.left) x += kept.width;
      if (x >= width) break;
      const to = (y * width + x) * 4;
      const from = sourceOf(x, y) * 4;
      data[to] = data[from] as number;
      data[to + 1] = data[from + 1] as number;
      data[to + 2] = data[from + 2] as number;
      data[to + 3] = data[from + 3] as number;
    }
  }
}

/** Returns samples from 0 to 255, as thresholds are given in them. */
function levels(image: FloatImage): FloatImage {
  return { ...image, data: image.data.map((value) => value * 255) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
