import type { FloatImage } from '../raster.ts';

/**
 * Reads a small image as if it were `width` x `height`, bilinearly, one line after the other. Only the line is made;
 * what lies between its columns is left to the caller, who may need it for some places only:
 * `between(line, left[x] + channel, channels, share[x])`.
 */
export class LineSampler {
  /** The current line at the small image's own width, and its last column once more. */
  readonly line: Float32Array;
  /** For each x, where in `line` the column to its left starts. */
  readonly left: Uint32Array;
  /** For each x, the share of the column to its right. */
  readonly share: Float32Array;
  readonly #image: FloatImage;
  readonly #height: number;

  constructor(image: FloatImage, width: number, height: number) {
    this.#image = image;
    this.#height = height;
    this.line = new Float32Array((image.width + 1) * image.channels);
    this.left = new Uint32Array(width);
    this.share = new Float32Array(width);
    for (let x = 0; x < width; x++) {
      const { low, share } = placeAmong(x, width, image.width);
      this.left[x] = low * image.channels;
      this.share[x] = share;
    }
  }

  /** Makes `line` that of row `y` of the large image. */
  seek(y: number): void {
    const { height, width, channels, data } = this.#image;
    const { line } = this;
    const { low, share } = placeAmong(y, this.#height, height);
    const length = width * channels;
    const above = low * length;
    const below = Math.min(low + 1, height - 1) * length;
    for (let at = 0; at < length; at++) {
      const upper = data[above + at] as number;
      line[at] = upper + share * ((data[below + at] as number) - upper);
    }
    line.copyWithin(length, length - channels, length);
  }
}

/** The value at `share` of the way from one column of a line to the next, `channels` further on. */
export function between(line: Float32Array, left: number, channels: number, share: number): number {
  const low = line[left] as number;
  return low + share * ((line[left + channels] as number) - low);
}

/** Where the centre of place `at` of `many` lies among the centres of `few`. */
function placeAmong(at: number, many: number, few: number): { low: number; share: number } {
  const place = Math.min(few - 1, Math.max(0, ((at + 0.5) * few) / many - 0.5));
  const low = Math.floor(place);
  return { low, share: place - low };
}
