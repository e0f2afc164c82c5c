import { progressSpan } from '../../../core/runtime/progress.ts';
import type { FloatImage, Raster } from '../../../core/runtime/raster.ts';
import { fillRegion, pasteRaster } from '../../../kernels/raster/crop.ts';
import { LineSampler, lerp } from '../../../kernels/raster/line-sampler.ts';
import { resizeColours } from '../../../kernels/raster/resize.ts';
import { blendPieces, type Pieces } from './blend-pieces.ts';
import { continuePattern } from './continue-pattern.ts';
import { estimateFill, type FillEstimate, judgeFill } from './estimate-fill.ts';
import { type FillOptions, fillCanvas } from './fill-canvas.ts';
import {
  type Canvas,
  clamp,
  distanceOutside,
  type FillLevel,
  forEachPatch,
  forEachUnknownRun,
  type PatchField,
  reduceCanvas,
} from './fill-level.ts';
import { expectedColours, getTone } from './spread-from-border.ts';

/**
 * Discount of a patch next to the kept pixels over one far away, and its fall with each pixel of distance. Such a patch
 * is compared with real colours, and costs more than one that is compared with filled ones, which agree with their
 * source.
 */
const [CERTAIN_COST, FADE] = [2000, 1.3];

/** Cost of a patch for a pixel one step away from its centre. */
const EDGE_COST = 4;

/** Largest correction, of 255: a stronger one would show as a halo around what differs on purpose. */
const CORRECTION_MAX = 20;

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
    getSource(x, y) {
      const levelX = Math.min(level.width - 1, Math.floor(((x + 0.5) * level.width) / width));
      const levelY = Math.min(level.height - 1, Math.floor(((y + 0.5) * level.height) / height));
      const pixel = levelY * level.width + levelX;
      // Where rounding takes a pixel next to the kept ones for one of them, it copies the nearest.
      const chosen = sources[pixel];
      const source = chosen < 0 ? pixel : chosen;
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

/** An image extended from itself alone, and how good that is likely to look. */
export interface SelfExtended {
  readonly raster: Raster;
  readonly estimate: FillEstimate;
}

/** Quality of what is continued by its period: hardly anything can go wrong. */
const REGULAR_QUALITY = 0.95;

/** Extends an image from itself alone: in phase where it is regular, and by its own patches elsewhere. */
export async function extendFromItself<Placed extends Canvas>(
  image: Raster,
  canvas: Placed,
  { avoided, ...options }: FillOptions,
): Promise<SelfExtended> {
  const continued = await continuePattern(image, canvas, options.signal);
  if (continued.share === 1) {
    options.onProgress({ fraction: 1 });
    return { raster: continued.image, estimate: { quality: REGULAR_QUALITY, weakness: null } };
  }
  // What is regular from side to side has no subject to repeat.
  const mask = continued.share === 0 ? avoided : undefined;
  const raster = extendRaster(continued.image, continued.extent, { ...options, avoided: mask });
  const rest = judgeFill(estimateFill(continued.image, continued.extent, mask), raster, continued.extent);
  const quality = continued.share * REGULAR_QUALITY + (1 - continued.share) * rest.quality;
  return { raster, estimate: { ...rest, quality } };
}

/**
 * Copies each unknown pixel from its source, in place.
 * @param correction of red, green and blue, of 255, at any resolution, which is added; null for none
 */
function copyPieces({ raster, kept, getSource }: Pieces, correction: FloatImage | null): void {
  const { width, height, data } = raster;
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  const corrections = correction && new LineSampler(correction, width, height);
  forEachUnknownRun({ width, height, kept }, (y, from, end) => {
    corrections?.seek(y, corrections.columnsOf(from, end));
    for (let x = from; x < end; x++) {
      const source = getSource(x, y) * 4;
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

/**
 * Returns what to add to copied colours so that their tone does not drift away from the expected one. Detail stays.
 * @param sources places in the level that unknown pixels copy; -1 for known ones
 * @returns red, green and blue of the level, -20 to 20 of 255; smooth
 */
export function toneCorrection(level: FillLevel, sources: Int32Array): FloatImage {
  const { width, height } = level;
  const copied = level.colours.slice();
  forEachUnknownRun(level, (y, from, to) => {
    for (let pixel = y * width + from; pixel < y * width + to; pixel++) {
      const source = sources[pixel] * 3;
      copied.set(level.colours.subarray(source, source + 3), pixel * 3);
    }
  });
  const tone = getTone({ width, height, channels: 3, data: copied }).data;
  const correction = expectedColours(level);
  correction.data.forEach((wanted, at) => {
    correction.data[at] = CORRECTION_MAX * Math.tanh((wanted - tone[at]) / CORRECTION_MAX);
  });
  return correction;
}

/**
 * Chooses for each unknown pixel the known one that it copies: as the cheapest of the patches over it has it. Whole
 * pieces then come from one place, and keep their grain, which a mean would lose.
 * @returns places in the canvas; -1 for known pixels
 */
function pixelSources(level: FillLevel, { sources, costs }: PatchField): Int32Array<ArrayBuffer> {
  const { width, height, kept, radius } = level;
  const chosen = new Int32Array(width * height).fill(-1);
  const cheapest = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY);
  forEachPatch(level, (x, y) => {
    const pixel = y * width + x;
    const step = sources[pixel] - pixel;
    const outside = distanceOutside(level, x, y);
    const cost = costs[pixel] - CERTAIN_COST * FADE ** -Math.max(outside.across, outside.down);
    for (let down = -radius; down <= radius; down++) {
      const row = pixel + down * width;
      for (let along = -radius; along <= radius; along++) {
        // Away from its centre, a patch knows less about a pixel.
        const here = cost + EDGE_COST * (down * down + along * along);
        if (here >= cheapest[row + along]) continue;
        cheapest[row + along] = here;
        chosen[row + along] = row + along + step;
      }
    }
  });
  fillRegion(chosen, width, kept, -1);
  return chosen;
}

/** Makes an empty canvas with an image in its place, of the same depth. */
export function placeRaster(image: Raster, { width, height, kept }: Canvas): Raster {
  const size = width * height * 4;
  const data = image.data instanceof Uint16Array ? new Uint16Array(size) : new Uint8Array(size);
  const placed = { width, height, data };
  pasteRaster(placed, image, kept);
  return placed;
}
