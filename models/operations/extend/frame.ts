import { mapTuple } from '../../core/records.ts';
import type { PixelRegion, Raster } from '../../core/runtime/raster.ts';
import { extractRegion } from '../../kernels/raster/crop.ts';
import type { Extent } from './geometry.ts';

/** Widths of lines around an image that are none of its content, in pixels. */
interface FrameWidths {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Widest line that counts as the frame of a scan; a wider one is content. */
const LINES_MAX = 4;
/** Lines that are looked at on each side. */
const LINES_SEEN = 7;
/** Width over which a scanner mixes the frame with the content. */
const MIXED = 2;
/** Side from which on an image can have a frame. */
const SIDE_MIN = 32;
const WHITE_LEVEL = 255;
/** Largest difference of a frame's mean channels, of 255. */
const COLOUR_MAX = 10;

/**
 * Largest deviations of luma along a line of a frame, of 255. An even content may begin where lines deviate more than
 * by the first, and JPEG makes those of a thin frame deviate by up to the second.
 */
const DEVIATIONS_MAX = [5, 8] as const;

/**
 * Share of the content's tint that a line of a frame may have: JPEG halves the resolution of colours, which mixes them.
 */
const MIXED_COLOUR = 0.6;
/** Least difference of means from which on an even line ends at an even content. */
const JUMP_MIN = 24;
/** Least mean distance of the content from the frame. */
const CONTENT_MIN = 12;

/**
 * A frame that was mixed into the content when the image was made smaller: largest share of the content's own distance
 * from black, or white, that the outermost line keeps, in the mean and anywhere, and the share of places that must say
 * so.
 */
const MIXED_LINE = { mean: 0.65, most: 0.85, agreeing: 0.85 };
/** Least distance of content from black, or white, that tells anything, and the least share of such places. */
const TELLING = { distance: 30, share: 0.2 };

interface Line {
  /** Mean luma, 0 to 255. */
  readonly mean: number;
  /** Deviation of luma along it. */
  readonly deviation: number;
  /** Differences of the mean channels from their mean, -255 to 255. */
  readonly tint: readonly number[];
  readonly luma: Float32Array;
}

/** Image on its canvas, without the frame of a scan. */
interface Unframed {
  readonly image: Raster;
  readonly extent: Extent;
}

/**
 * Leaves the frame of a scan out of an image, so that no engine continues it.
 * @param original image before it was scaled
 * @param image as large as `extent.kept`
 * @returns the same image and extent where there is no frame, or little else
 */
export function leaveFrameOut(original: Raster, image: Raster, extent: Extent): Unframed {
  const scale = extent.kept.width / original.width;
  const frame = scaleWidths(measureFrame(original), scale);
  const inner: PixelRegion = {
    left: frame.left,
    top: frame.top,
    width: image.width - frame.left - frame.right,
    height: image.height - frame.top - frame.bottom,
  };
  const isFramed = inner.width < image.width || inner.height < image.height;
  if (!isFramed || 2 * inner.width < image.width || 2 * inner.height < image.height) return { image, extent };
  const { kept } = extent;
  const place = { ...inner, left: kept.left + inner.left, top: kept.top + inner.top };
  return { image: extractRegion(image, inner), extent: { ...extent, kept: place } };
}

/**
 * Puts the frame back in place on the sides where nothing was added.
 * @param result canvas with the frame painted over, changed in place
 */
export function restoreFrame(
  result: Raster,
  image: Raster,
  extent: Extent,
  { extent: { kept: inner } }: Unframed,
): void {
  const { kept } = extent;
  // From the image's own edge where nothing was added beyond it, else from where the frame ends.
  const left = kept.left === 0 ? 0 : inner.left;
  const right = kept.width + kept.left === extent.width ? extent.width : inner.left + inner.width;
  for (let y = 0; y < image.height; y++) {
    const row = kept.top + y;
    const isFrame = row < inner.top || row >= inner.top + inner.height;
    const isOpen = row < inner.top ? kept.top > 0 : isFrame && kept.top + kept.height < extent.height;
    if (isOpen) continue;
    const from = (y * image.width + left - kept.left) * 4;
    result.data.set(image.data.subarray(from, from + (right - left) * 4), (row * extent.width + left) * 4);
  }
}

/** Scales widths up to the next whole pixel, with one more where pixels were mixed. */
function scaleWidths(widths: FrameWidths, scale: number): FrameWidths {
  const scaled = (width: number) => (width === 0 || scale === 1 ? width : Math.ceil(width * scale) + 1);
  return {
    left: scaled(widths.left),
    right: scaled(widths.right),
    top: scaled(widths.top),
    bottom: scaled(widths.bottom),
  };
}

/**
 * Measures the black or grey lines at the edges of scans: even lines of one to four pixels, after which the content
 * begins. With the pixels that mix both; 0 on a side without such a line.
 */
export function measureFrame(raster: Raster): FrameWidths {
  const { width, height } = raster;
  if (Math.min(width, height) < SIDE_MIN) return { left: 0, right: 0, top: 0, bottom: 0 };
  const row = (y: number) => readLine(raster, { start: y * width, stride: 1, length: width });
  const column = (x: number) => readLine(raster, { start: x, stride: width, length: height });
  return {
    left: getWidth(column),
    right: getWidth((depth) => column(width - 1 - depth)),
    top: getWidth(row),
    bottom: getWidth((depth) => row(height - 1 - depth)),
  };
}

/** @param lineAt returns the line at a distance from the edge */
function getWidth(lineAt: (depth: number) => Line): number {
  const lines = Array.from({ length: LINES_SEEN }, (_, depth) => lineAt(depth));
  const evens = DEVIATIONS_MAX.map((most) => {
    const firstUneven = lines.findIndex(({ deviation }) => deviation > most);
    return firstUneven < 0 ? LINES_SEEN : firstUneven;
  });
  // Where the content is even as well, the frame ends at a jump.
  const ends = [...evens, ...[4, 3, 2, 1].filter((end) => end < Math.max(...evens) && isJump(lines, end))];
  const found = ends.find(
    (end) => end > 0 && end <= LINES_MAX && isFrame(lines.slice(0, end), lineAt(end + MIXED)),
  );
  if (found !== undefined) return found + MIXED;
  return isMixedLine(lines[0], lineAt(1 + MIXED)) ? 1 + MIXED : 0;
}

/** Reports whether the outermost line is the content's, but with black or white mixed in all along it. */
function isMixedLine({ luma, tint }: Line, content: Line): boolean {
  return [0, WHITE_LEVEL].some((frame) => {
    const shares: number[] = [];
    content.luma.forEach((value, at) => {
      const distance = Math.abs(value - frame);
      if (distance >= TELLING.distance) shares.push(Math.abs(luma[at] - frame) / distance);
    });
    if (shares.length < TELLING.share * luma.length) return false;
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    const agreeing = shares.filter((share) => share <= MIXED_LINE.most).length / shares.length;
    const own = tint.map((value, at) => value - mean * (content.tint[at] ?? 0));
    const isGrey = Math.max(...own) - Math.min(...own) <= COLOUR_MAX;
    return isGrey && mean <= MIXED_LINE.mean && agreeing >= MIXED_LINE.agreeing;
  });
}

function isJump(lines: readonly Line[], end: number): boolean {
  return Math.abs(lines[end - 1].mean - lines[end].mean) >= JUMP_MIN;
}

/** Reports whether even lines are black or grey, but for the tint of the content, and differ from it. */
function isFrame(lines: readonly Line[], content: Line): boolean {
  const { mean } = lines.at(-1) ?? content;
  const distance = content.luma.reduce((sum, value) => sum + Math.abs(value - mean), 0) / content.luma.length;
  return distance >= CONTENT_MIN && lines.every(({ tint }) => ownColour(tint, content.tint) <= COLOUR_MAX);
}

/** Returns the largest difference of channels in a tint without its share of another one, 0 to 255. */
function ownColour(tint: readonly number[], other: readonly number[]): number {
  const product = (one: readonly number[]) =>
    one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
  const share = Math.min(MIXED_COLOUR, Math.max(0, product(tint) / (product(other) || 1)));
  const own = tint.map((value, at) => value - share * (other[at] ?? 0));
  return Math.max(...own) - Math.min(...own);
}

/** Reads a line without its ends, where it crosses the frame of other sides. */
function readLine(
  { data }: Raster,
  { start, stride, length }: { readonly start: number; readonly stride: number; readonly length: number },
): Line {
  const unit = data instanceof Uint16Array ? 257 : 1;
  const luma = new Float32Array(length - 2 * LINES_SEEN);
  const sums = [0, 0, 0];
  for (let at = 0; at < luma.length; at++) {
    const from = (start + (at + LINES_SEEN) * stride) * 4;
    const [red, green, blue] = mapTuple([0, 1, 2] as const, (channel) => data[from + channel] / unit);
    [red, green, blue].forEach((value, channel) => {
      sums[channel] = sums[channel] + value;
    });
    luma[at] = 0.299 * red + 0.587 * green + 0.114 * blue;
  }
  const mean = luma.reduce((sum, value) => sum + value, 0) / luma.length;
  const variance = luma.reduce((sum, value) => sum + (value - mean) ** 2, 0) / luma.length;
  const level = sums.reduce((sum, value) => sum + value, 0) / 3;
  const tint = sums.map((value) => (value - level) / luma.length);
  return { mean, luma, tint, deviation: Math.sqrt(variance) };
}
