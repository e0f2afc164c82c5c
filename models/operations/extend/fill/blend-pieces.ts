import type { ReportProgress } from '../../../core/runtime/progress.ts';
import type { PixelRegion, Raster } from '../../../core/runtime/raster.ts';

/** Canvas on which copies of kept pixels lie side by side, before their seams are hidden. */
export interface Pieces {
  /** Raster of the canvas; its unknown pixels hold their copies. */
  readonly raster: Raster;
  /** Pixels whose colours stay. */
  readonly kept: PixelRegion;
  /** Returns the place of the kept pixel that an unknown one copies. */
  getSource(x: number, y: number): number;
}

/** Weight of a pixel's own colour relative to the four differences to its neighbours. Corrections reach about 24 pixels. */
const OWN_WEIGHT = 1 / 24 ** 2;
/** Jump at a seam, of 255, from which it counts as an edge of what is shown and stays. */
const SEAM_MAX = 30;
/** Rounds of corrections, over-relaxed for waves about as long as their reach. */
const SWEEPS = 40;
const RELAXATION = 1.85;
/** Side of the squares that are blended one after the other, and how far each looks beyond itself. */
const SQUARE = 384;
const MARGIN = 48;

/**
 * Hides the seams between pieces, and between them and the kept pixels, in place: keeps the differences between
 * neighbours that the pieces have in themselves, and spreads the jump at a seam (Pérez, Gangnet and Blake, "Poisson
 * Image Editing", SIGGRAPH 2003). Screened by the copied colours, so that they do not drift away from the kept ones
 * (Bhat et al., "Fourier Analysis of the 2D Screened Poisson Equation", ECCV 2008). Memory: that of one square.
 * @param onProgress receives the share of the canvas that is done
 */
export function blendPieces(
  pieces: Pieces,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: ReportProgress },
): void {
  const { width, height } = pieces.raster;
  for (let top = 0; top < height; top += SQUARE) {
    signal.throwIfAborted();
    for (let left = 0; left < width; left += SQUARE) {
      blendSquare(pieces, {
        left,
        top,
        width: Math.min(SQUARE, width - left),
        height: Math.min(SQUARE, height - top),
      });
    }
    onProgress({ fraction: Math.min(1, (top + SQUARE) / height) });
  }
}

function blendSquare(pieces: Pieces, square: PixelRegion): void {
  const { raster } = pieces;
  // Pixels to the left of the square and above are final: the others are corrected with it and written later.
  const window = {
    left: Math.max(0, square.left - 1),
    top: Math.max(0, square.top - 1),
    right: Math.min(raster.width, square.left + square.width + MARGIN),
    bottom: Math.min(raster.height, square.top + square.height + MARGIN),
  };
  const width = window.right - window.left;
  const height = window.bottom - window.top;
  const system = readSystem(pieces, square, { left: window.left, top: window.top, width, height });
  if (!system) return;
  relax(system, width, height);
  const { data } = raster;
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  for (let y = square.top; y < square.top + square.height; y++) {
    for (let x = square.left; x < square.left + square.width; x++) {
      const from = (y - window.top) * width + x - window.left;
      if (!system.isFree[from]) continue;
      const to = (y * raster.width + x) * 4;
      for (let channel = 0; channel < 3; channel++) {
        const value = Math.round(system.colours[from * 3 + channel]);
        data[to + channel] = Math.max(0, Math.min(most, value));
      }
    }
  }
}

/** Equations of a window: colours to find, and the differences that they should have. */
interface System {
  /** Whether a pixel's colour is to be found. */
  readonly isFree: Uint8Array;
  /** Red, green and blue, interleaved; at first the copied ones. */
  readonly colours: Float32Array;
  /** Wanted differences to the next pixel in the row, and in the column. */
  readonly along: Float32Array;
  readonly down: Float32Array;
}

interface Copies extends Pick<System, 'isFree' | 'colours'> {
  /** Places that the pixels were copied from; a kept pixel is its own source. */
  readonly sources: Int32Array;
}

/** Reads the pixels of a window, and where they come from. */
function readCopies({ raster, kept, getSource }: Pieces, square: PixelRegion, window: PixelRegion): Copies {
  const { data, width: stride } = raster;
  const { left, top, width, height } = window;
  const size = width * height;
  const isFree = new Uint8Array(size);
  const colours = new Float32Array(size * 3);
  const sources = new Int32Array(size);
  for (let y = 0, pixel = 0; y < height; y++) {
    const isBeside = top + y >= kept.top && top + y < kept.top + kept.height;
    for (let x = 0; x < width; x++, pixel++) {
      const here = (top + y) * stride + left + x;
      const isKept = isBeside && left + x >= kept.left && left + x < kept.left + kept.width;
      sources[pixel] = isKept ? here : getSource(left + x, top + y);
      isFree[pixel] = isKept || left + x < square.left || top + y < square.top ? 0 : 1;
      for (let channel = 0; channel < 3; channel++) {
        colours[pixel * 3 + channel] = data[here * 4 + channel];
      }
    }
  }
  return { isFree, colours, sources };
}

/** Reads the equations of a window; null when no seam crosses it. */
function readSystem(pieces: Pieces, square: PixelRegion, window: PixelRegion): System | null {
  const { kept, raster } = pieces;
  const { data, width: stride } = raster;
  const { width } = window;
  const { isFree, colours, sources } = readCopies(pieces, square, window);
  const size = isFree.length;
  const seamMax = data instanceof Uint16Array ? SEAM_MAX * 257 : SEAM_MAX;
  let hasSeam = false;
  /** @param step in the window @param sourceStep the same in the raster */
  const differences = (step: number, sourceStep: number): Float32Array => {
    const wanted = new Float32Array(size * 3);
    const hasNext = (pixel: number) => sourceStep !== 1 || (pixel + 1) % stride !== 0;
    const hasPrevious = (pixel: number) => sourceStep !== 1 || pixel % stride !== 0;
    for (let pixel = 0; pixel < size - step; pixel++) {
      const next = pixel + step;
      // The next pixel of the last in a row begins the next row.
      if (step === 1 && next % width === 0) continue;
      if (!isFree[pixel] && !isFree[next]) continue;
      const from = sources[pixel];
      const nextFrom = sources[next];
      const isSeam = nextFrom !== from + sourceStep;
      if (isSeam) hasSeam = true;
      const hasAfter = isSeam && hasNext(from) && isWithin(kept, from + sourceStep, stride);
      const hasBefore = isSeam && hasPrevious(nextFrom) && isWithin(kept, nextFrom - sourceStep, stride);
      const share = hasAfter && hasBefore ? 0.5 : 1;
      for (let channel = 0; channel < 3; channel++) {
        const jump = colours[next * 3 + channel] - colours[pixel * 3 + channel];
        let excess = 0;
        if (hasAfter) {
          excess += data[(from + sourceStep) * 4 + channel] - data[from * 4 + channel] - jump;
        }
        if (hasBefore) {
          excess += data[nextFrom * 4 + channel] - data[(nextFrom - sourceStep) * 4 + channel] - jump;
        }
        excess *= share;
        wanted[pixel * 3 + channel] = jump + excess * Math.exp(-((excess / seamMax) ** 2));
      }
    }
    return wanted;
  };
  const [along, down] = [differences(1, 1), differences(width, stride)];
  return hasSeam ? { isFree, colours, along, down } : null;
}

function isWithin({ left, top, width, height }: PixelRegion, pixel: number, stride: number): boolean {
  const x = pixel % stride;
  const y = (pixel - x) / stride;
  return x >= left && x < left + width && y >= top && y < top + height;
}

/** Solves the equations by successive over-relaxation. */
function relax({ isFree, colours, along, down }: System, width: number, height: number): void {
  const own = colours.slice();
  const size = width * height;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let pixel = 0; pixel < size; pixel++) {
      if (!isFree[pixel]) continue;
      const x = pixel % width;
      const hasLeft = x > 0;
      const hasRight = x < width - 1;
      const hasAbove = pixel >= width;
      const hasBelow = pixel < size - width;
      let weight = OWN_WEIGHT;
      if (hasLeft) weight++;
      if (hasRight) weight++;
      if (hasAbove) weight++;
      if (hasBelow) weight++;
      for (let at = pixel * 3; at < pixel * 3 + 3; at++) {
        let sum = OWN_WEIGHT * own[at];
        if (hasLeft) sum += colours[at - 3] + along[at - 3];
        if (hasRight) sum += colours[at + 3] - along[at];
        if (hasAbove) sum += colours[at - width * 3] + down[at - width * 3];
        if (hasBelow) sum += colours[at + width * 3] - down[at];
        const before = colours[at];
        colours[at] = before + RELAXATION * (sum / weight - before);
      }
    }
  }
}
