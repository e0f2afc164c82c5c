/** Small image, channels interleaved. Samples of any scale: the line has the same. */
interface SampledImage {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Float32Array | Uint8Array;
}

/** Columns of a small image, first to last. */
export type Columns = readonly [first: number, last: number];

/** Pixels of each row of the large image that are sampled. */
interface Shown {
  readonly left: number;
  readonly width: number;
}

/**
 * Bilinear sampler of a small image at `width` x `height`, one line after the other. It computes only the line; the
 * caller interpolates between its columns, possibly for some pixels only: `lerp(line, left[x] + channel, channels,
 * share[x])`.
 */
export class LineSampler {
  /** Current line at the small image's own width, with its last column repeated. */
  readonly line: Float32Array;
  /** For each x from the left of what is shown, the offset in `line` of the column to its left. */
  readonly left: Uint32Array;
  /** For each x, the weight of the column to its right. */
  readonly share: Float32Array;
  readonly #image: SampledImage;
  readonly #height: number;

  /** @param shown of each row; the whole by default. Memory is only taken for these pixels */
  constructor(image: SampledImage, width: number, height: number, shown: Shown = { left: 0, width }) {
    this.#image = image;
    this.#height = height;
    this.line = new Float32Array((image.width + 1) * image.channels);
    this.left = new Uint32Array(shown.width);
    this.share = new Float32Array(shown.width);
    for (let x = 0; x < shown.width; x++) {
      const { low, share } = placeAmong(shown.left + x, width, image.width);
      this.left[x] = low * image.channels;
      this.share[x] = share;
    }
  }

  /**
   * Returns the row of the small image above row `y` of the large one; values between rows follow from it and the
   * next.
   */
  rowAbove(y: number): number {
    return placeAmong(y, this.#height, this.#image.height).low;
  }

  /** Returns the columns that surround pixels `start` to `end` (exclusive) of a row of the large image. */
  columnsOf(start: number, end: number): Columns {
    const { channels } = this.#image;
    return [this.left[start] / channels, this.left[end - 1] / channels + 1];
  }

  /**
   * Makes `line` that of row `y` of the large image.
   * @param columns to compute; the others keep their values
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
      const upper = data[above + at];
      line[at] = upper + share * (data[below + at] - upper);
    }
    if (end === length) line.copyWithin(length, length - channels, length);
  }
}

/** Interpolates between a column of a line and the next, `channels` further on. */
export function lerp(line: Float32Array, left: number, channels: number, share: number): number {
  const low = line[left];
  return low + share * (line[left + channels] - low);
}

/** Returns the position of the centre of pixel `at` of `many` among the centres of `few`. */
function placeAmong(at: number, many: number, few: number): { low: number; share: number } {
  const pixel = Math.min(few - 1, Math.max(0, ((at + 0.5) * few) / many - 0.5));
  const low = Math.floor(pixel);
  return { low, share: pixel - low };
}
