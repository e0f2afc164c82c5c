import type { ReportProgress } from '../../core/runtime/progress.ts';
import type { FloatImage, ImageSize, Raster } from '../../core/runtime/raster.ts';
import { WarningSet } from '../../core/runtime/run-warnings.ts';
import { boxMean } from '../../kernels/raster/box-mean.ts';
import { fillRegion, pasteImage } from '../../kernels/raster/crop.ts';
import { getRows } from '../../kernels/raster/picture.ts';
import { fitWithin, resizeColours, resizeImage } from '../../kernels/raster/resize.ts';
import { resizedRows } from '../../kernels/raster/resize-rows.ts';
import { placeRaster } from './fill/extend-raster.ts';
import { type Extent, scaleExtent } from './geometry.ts';
import {
  type PaintedWindow,
  paintWindow,
  WINDOW_SIZE,
  type Window,
  type WindowPainter,
} from './paint-window.ts';

/** Half the side of the square over which colours are compared, in pixels: that far the correction reaches. */
const REACH = 24;

/** Longest side that is painted; a larger canvas gets the added area enlarged. */
const FINEST_SIDE = 2048;

/** Pixels that neighbouring windows share; the second one repaints the outer half. */
const OVERLAP = 64;

export interface PaintedCanvas extends Pick<PaintedWindow, 'provider' | 'notices'> {
  readonly raster: Raster;
}

/**
 * Paints what an image lacks of its canvas, from coarse to fine: the whole canvas in one window first, then each half
 * as coarse level is enlarged and refined window by window.
 * @param image pixels that are kept, as large as `extent.kept`
 * @param onProgress receives the share of the steps that are done
 */
export async function paintCanvas(
  image: Raster,
  extent: Extent,
  { onProgress, ...painter }: Omit<WindowPainter, 'onStep'> & { onProgress: ReportProgress },
): Promise<PaintedCanvas> {
  const levels = getLevels(extent).map((size) => scaleExtent(extent, size));
  const { sampler, refinesFrom } = painter.model;
  const stepsAt = (at: number) => sampler.timesteps.length - (at === 0 ? 0 : refinesFrom);
  const total = levels.reduce((sum, level, at) => sum + getWindows(level).length * stepsAt(at), 0);
  let done = 0;
  const onStep = () => onProgress({ fraction: ++done / total });
  let canvas: FloatImage | undefined;
  let provider = '';
  const notices = new WarningSet();
  for (const level of levels) {
    const rough: FloatImage | undefined = canvas;
    canvas = startLevel(image, level, rough);
    const isDone = getMask(level);
    for (const corner of getWindows(level)) {
      const window = cutWindow(canvas, isDone, corner, rough !== undefined);
      const painted = await paintWindow(window, { ...painter, onStep });
      provider = painted.provider;
      notices.add(...painted.notices);
      pasteWindow(canvas, isDone, corner, { ...window, colours: correctDrift(window, painted.colours) });
    }
  }
  return { raster: finish(image, extent, canvas as FloatImage), provider, notices: [...notices] };
}

/**
 * Lists the sizes of the canvas, the coarsest first: each has half the side of the next, and the first fits a window.
 */
function getLevels(extent: ImageSize): readonly ImageSize[] {
  const finest = fitWithin(extent, FINEST_SIDE);
  const halvings = Math.max(0, Math.ceil(Math.log2(Math.max(finest.width, finest.height) / WINDOW_SIZE)));
  return Array.from({ length: halvings + 1 }, (_, at) => ({
    width: Math.max(1, Math.round(finest.width / 2 ** (halvings - at))),
    height: Math.max(1, Math.round(finest.height / 2 ** (halvings - at))),
  }));
}

interface Corner {
  readonly left: number;
  readonly top: number;
}

/** Lists the windows over a canvas that hold something to paint, row by row. */
function getWindows({ width, height, kept }: Extent): readonly Corner[] {
  const corners = getStarts(height).flatMap((top) => getStarts(width).map((left) => ({ left, top })));
  return corners.filter(
    ({ left, top }) =>
      left < kept.left ||
      top < kept.top ||
      Math.min(width, left + WINDOW_SIZE) > kept.left + kept.width ||
      Math.min(height, top + WINDOW_SIZE) > kept.top + kept.height,
  );
}

function getStarts(length: number): readonly number[] {
  if (length <= WINDOW_SIZE) return [0];
  const count = Math.ceil((length - OVERLAP) / (WINDOW_SIZE - OVERLAP));
  return Array.from({ length: count }, (_, at) => Math.round((at * (length - WINDOW_SIZE)) / (count - 1)));
}

function startLevel(
  image: Raster,
  { width, height, kept }: Extent,
  rough: FloatImage | undefined,
): FloatImage {
  const canvas = rough
    ? resizeImage(rough, width, height)
    : { width, height, channels: 3, data: new Float32Array(width * height * 3) };
  pasteImage(canvas, resizeColours(image, kept.width, kept.height), kept, kept);
  return canvas;
}

/** Returns 1 for each kept pixel. */
function getMask({ width, height, kept }: Extent): Uint8Array {
  const mask = new Uint8Array(width * height);
  fillRegion(mask, width, kept, 1);
  return mask;
}

/** Cuts a window out. Beyond the canvas it repeats the edge, to be painted as well. */
function cutWindow(canvas: FloatImage, isDone: Uint8Array, { left, top }: Corner, isRough: boolean): Window {
  const { width, height } = canvas;
  const data = new Float32Array(WINDOW_SIZE * WINDOW_SIZE * 3);
  const mask = new Uint8Array(WINDOW_SIZE * WINDOW_SIZE).fill(1);
  for (let y = 0, pixel = 0; y < WINDOW_SIZE; y++) {
    for (let x = 0; x < WINDOW_SIZE; x++, pixel++) {
      const isInside = left + x < width && top + y < height;
      const from = Math.min(height - 1, top + y) * width + Math.min(width - 1, left + x);
      data.set(canvas.data.subarray(from * 3, from * 3 + 3), pixel * 3);
      if (isInside && isDone[from]) mask[pixel] = 0;
    }
  }
  return { colours: { width: WINDOW_SIZE, height: WINDOW_SIZE, channels: 3, data }, mask, isRough };
}

/** Copies what was painted back. The border towards later windows stays open to them. */
function pasteWindow(
  canvas: FloatImage,
  isDone: Uint8Array,
  { left, top }: Corner,
  { colours, mask }: Pick<Window, 'colours' | 'mask'>,
): void {
  const { width, height } = canvas;
  const right = Math.min(width, left + WINDOW_SIZE);
  const bottom = Math.min(height, top + WINDOW_SIZE);
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const from = (y - top) * WINDOW_SIZE + x - left;
      if (!mask[from]) continue;
      const to = y * width + x;
      canvas.data.set(colours.data.subarray(from * 3, from * 3 + 3), to * 3);
      const isOpen =
        (right < width && x >= right - OVERLAP / 2) || (bottom < height && y >= bottom - OVERLAP / 2);
      if (!isOpen) isDone[to] = 1;
    }
  }
}

/** Enlarges the painted canvas to its full size, with the kept pixels as they were. */
function finish(image: Raster, { width, height, kept }: Extent, canvas: FloatImage): Raster {
  const raster = placeRaster(image, { width, height, kept });
  const { data } = raster;
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  const rows = resizedRows(getRows(canvas), width, height);
  const row = new Float32Array(width * 3);
  for (let y = 0; y < height; y++) {
    rows.read(y, row);
    const isBeside = y >= kept.top && y < kept.top + kept.height;
    for (let x = 0; x < width; x++) {
      if (isBeside && x >= kept.left && x < kept.left + kept.width) continue;
      const to = (y * width + x) * 4;
      for (let channel = 0; channel < 3; channel++) {
        data[to + channel] = Math.round(row[x * 3 + channel] * most);
      }
      data[to + 3] = most;
    }
  }
  return raster;
}

/**
 * Hides that a model returns colours a little off. It paints known pixels, too: how far those are off next to the seam
 * is taken from the new ones, less and less away from it.
 * @returns new colours, 0 to 1
 */
function correctDrift({ colours, mask }: Window, painted: FloatImage): FloatImage {
  const { width, height } = painted;
  /** Red, green and blue that known pixels lack, and 1 for each of them. */
  const lacking = new Float32Array(width * height * 4);
  for (let pixel = 0; pixel < mask.length; pixel++) {
    if (mask[pixel]) continue;
    for (let channel = 0; channel < 3; channel++) {
      const at = pixel * 3 + channel;
      lacking[pixel * 4 + channel] = colours.data[at] - painted.data[at];
    }
    lacking[pixel * 4 + 3] = 1;
  }
  const means = boxMean({ width, height, channels: 4, data: lacking }, REACH).data;
  const data = painted.data.map((value, at) => {
    const channel = at % 3;
    const mean = ((at - channel) / 3) * 4;
    const share = means[mean + 3];
    // Next to a straight seam, half of the square is known.
    if (share < 1e-4) return value;
    const offset = (means[mean + channel] / share) * Math.min(1, 2 * share);
    return Math.min(1, Math.max(0, value + offset));
  });
  return { ...painted, data };
}
