import type { FloatImage } from '../raster.ts';

/** Columns of a small image, from the first to the last. */
export type Columns = readonly [first: number, last: number];

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

  /** The row of the small image above row `y` of the large one; what lies between follows from it and the next. */
  rowAbove(y: number): number {
    return placeAmong(y, this.#height, this.#image.height).low;
  }

  /** The columns that places `start` to before `end` of a row of the large image lie between. */
  columnsOf(start: number, end: number): Columns {
    const { channels } = this.#image;
    return [(this.left[start] as number) / channels, (this.left[end - 1] as number) / channels + 1];
  }

  /**
   * Makes `line` that of row `y` of the large image.
   * @param columns that are wanted; the others keep what they had
   */
  seek(y: number, [first, last]: Columns = [0, this.#image.width]): void {
    const { height, width, channels, data } = this.#image;
    const { line } = this;
    const { low, share } = placeAmong(y, this.#height, height);
    const length = width * channels;
    const above = low * length;
    const below = Math.min(low + 1, height - 1) * length;
    const end = Math.min(last + 1, width) * channels;
    for (let at = first * channels; at < end; at++) {
      const upper = data[above + at] as number;
      line[at] = upper + share * ((data[below + at] as number) - upper);
    }
    if (end === length) line.copyWithin(length, length - channels, length);
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
