import type { Session } from '../../core/runtime/inference.ts';
import type { ReportProgress } from '../../core/runtime/progress.ts';
import type { PixelRegion, Raster } from '../../core/runtime/raster.ts';
import type { StripImage } from '../../kernels/raster/picture.ts';
import { type ColourPlanes, getPlanes, type RegionPlanes, writePlanes } from './colour-planes.ts';
import { type EnlargeReport, enlargePlanes } from './enlarge-planes.ts';
import { stepOf, type UpscaleNetwork } from './plan-passes.ts';
import { getTiles, innerRegion, regionWithMargin, spanWithMargin } from './tile-regions.ts';

/** States of a pixel: without a colour, with one, and in a ring that receives one. */
const [UNKNOWN, KNOWN, REACHED] = [0, 1, 2];

/** Reads rows of an image in strips, from the top, and holds only those that are still needed. */
class RowWindow {
  readonly #image: StripImage;
  readonly #strips: AsyncIterator<Raster>;
  /** Held rows, of which `#top` is the first. */
  #data: Raster['data'];
  #top = 0;
  #rows = 0;
  /** Strip of which only some rows were taken. */
  #strip: Raster | null = null;
  #taken = 0;

  constructor(image: StripImage) {
    this.#image = image;
    this.#strips = image.strips[Symbol.asyncIterator]();
    this.#data = image.bitDepth === 16 ? new Uint16Array(0) : new Uint8Array(0);
  }

  /**
   * Returns rows as a raster, which the next call overwrites.
   * @param top never less than before
   */
  async rows(top: number, bottom: number): Promise<Raster> {
    const { width, height, bitDepth } = this.#image;
    const rowSamples = width * 4;
    const keptFrom = Math.min(this.#rows, top - this.#top) * rowSamples;
    const kept = this.#data.subarray(keptFrom, this.#rows * rowSamples);
    const needed = (bottom - top) * rowSamples;
    if (this.#data.length < needed) {
      const larger = new (bitDepth === 16 ? Uint16Array : Uint8Array)(needed);
      larger.set(kept);
      this.#data = larger;
    } else this.#data.copyWithin(0, keptFrom, this.#rows * rowSamples);
    this.#rows = kept.length / rowSamples;
    this.#top = top;
    while (this.#top + this.#rows < bottom) await this.#take(Math.min(bottom, height));
    return { width, height: bottom - top, data: this.#data.subarray(0, needed) };
  }

  /** Ends the reading, so that what makes the strips can free what it holds. */
  async close(): Promise<void> {
    await this.#strips.return?.();
  }

  async #take(bottom: number): Promise<void> {
    if (!this.#strip || this.#taken === this.#strip.height) {
      const { value, done } = await this.#strips.next();
      if (done) throw new RangeError('the image has fewer rows than its height');
      this.#strip = value;
      this.#taken = 0;
    }
    const rowSamples = this.#image.width * 4;
    const rows = Math.min(this.#strip.height - this.#taken, bottom - this.#top - this.#rows);
    const from = this.#taken * rowSamples;
    this.#data.set(this.#strip.data.subarray(from, from + rows * rowSamples), this.#rows * rowSamples);
    this.#taken += rows;
    this.#rows += rows;
  }
}

export interface EnlargeOptions {
  readonly signal: AbortSignal;
  readonly report: EnlargeReport;
  /** Whether no place may swing out next to an edge. */
  readonly isDrawing?: boolean;
  /** Receives the share of the image that is enlarged. */
  readonly onProgress: ReportProgress;
}

/**
 * Enlarges an image by a network, tile by tile: each tile is computed with as much of its surroundings as the network
 * sees, so that the result is the same as of the whole. Memory: a row of tiles of input and result.
 * @returns the enlarged image, computed while it is read
 * @throws OperationError `unavailable` (while it is read) when the network fails
 */
export function enlargeStrips(
  image: StripImage,
  network: UpscaleNetwork,
  session: Session,
  options: EnlargeOptions,
): StripImage {
  const scale = stepOf(network);
  return {
    width: image.width * scale,
    height: image.height * scale,
    bitDepth: image.bitDepth,
    strips: getStrips(image, network, session, options),
  };
}

async function* getStrips(
  image: StripImage,
  network: UpscaleNetwork,
  session: Session,
  options: EnlargeOptions,
): AsyncGenerator<Raster> {
  const { tileSide, multipleOf } = network;
  const scale = stepOf(network);
  const window = new RowWindow(image);
  const rows = getTiles(image.height, tileSide, multipleOf);
  const columns = getTiles(image.width, tileSide, multipleOf);
  let done = 0;
  try {
    for (const row of rows) {
      const { start, length } = spanWithMargin(row, image.height, network);
      const source = await window.rows(start, Math.min(image.height, start + length));
      const strip = emptyRaster(image.width * scale, row.used * scale, image.bitDepth);
      for (const column of columns) {
        options.signal.throwIfAborted();
        const around = regionWithMargin(row, column, image, network);
        const planes = await enlargeRegion(source, { ...around, top: 0 }, network, session, options);
        writePlanes(planes, strip, {
          region: innerRegion(row, column, around, scale),
          left: column.start * scale,
          top: 0,
        });
        options.onProgress({ fraction: ++done / (rows.length * columns.length) });
      }
      yield strip;
    }
  } finally {
    await window.close();
  }
}

async function enlargeRegion(
  source: Raster,
  region: PixelRegion,
  network: UpscaleNetwork,
  session: Session,
  options: EnlargeOptions,
): Promise<RegionPlanes> {
  const planes = getPlanes(source, region);
  if (planes.alpha) spreadColours(planes, planes.alpha, network.margin);
  return enlargePlanes(network, session, planes, options);
}

function emptyRaster(width: number, height: number, bitDepth: 8 | 16): Raster {
  return { width, height, data: new (bitDepth === 16 ? Uint16Array : Uint8Array)(width * height * 4) };
}

/**
 * Gives transparent pixels the mean colour of their known neighbours, in place, ring by ring around what is visible: a
 * file holds anything there, and a filter would mix it into visible edges.
 * @param alpha of the pixels, 0 to 1
 * @param rings distance from visible pixels up to which colours are given, in pixels
 */
export function spreadColours(planes: ColourPlanes, alpha: Float32Array, rings: number): void {
  const { width, height, colours } = planes;
  const size = width * height;
  const states = new Uint8Array(size);
  for (let pixel = 0; pixel < size; pixel++) if (alpha[pixel] > 0) states[pixel] = KNOWN;
  const around = new Int32Array(9);
  // All rings, one after the other: a pixel is in one of them at most.
  const reached = new Int32Array(size);
  let end = 0;
  for (let pixel = 0; pixel < size; pixel++) {
    if (states[pixel] !== UNKNOWN) continue;
    const count = placesAround(planes, pixel, around);
    for (let at = 0; at < count; at++) {
      if (states[around[at]] !== KNOWN) continue;
      reached[end++] = pixel;
      break;
    }
  }
  for (let ring = 0, start = 0; ring < rings && start < end; ring++) {
    const places = reached.subarray(start, end);
    for (const pixel of places) {
      const count = placesAround(planes, pixel, around);
      let [red, green, blue, known] = [0, 0, 0, 0];
      for (let at = 0; at < count; at++) {
        const from = around[at];
        if (states[from] !== KNOWN) continue;
        red += colours[from];
        green += colours[from + size];
        blue += colours[from + 2 * size];
        known += 1;
      }
      colours[pixel] = red / known;
      colours[pixel + size] = green / known;
      colours[pixel + 2 * size] = blue / known;
    }
    for (const pixel of places) states[pixel] = KNOWN;
    start = end;
    for (const pixel of places) {
      const count = placesAround(planes, pixel, around);
      for (let at = 0; at < count; at++) {
        const next = around[at];
        if (states[next] !== UNKNOWN) continue;
        states[next] = REACHED;
        reached[end++] = next;
      }
    }
  }
}

/**
 * Lists a place and those around it, row by row.
 * @param around receives them
 * @returns their number: 9, or fewer at a border
 */
function placesAround({ width, height }: ColourPlanes, pixel: number, around: Int32Array): number {
  const x = pixel % width;
  const y = (pixel - x) / width;
  const left = x > 0 ? x - 1 : 0;
  const right = x < width - 1 ? x + 1 : x;
  const bottom = y < height - 1 ? y + 1 : y;
  let count = 0;
  for (let row = y > 0 ? y - 1 : 0; row <= bottom; row++) {
    for (let at = row * width + left; at <= row * width + right; at++) around[count++] = at;
  }
  return count;
}
