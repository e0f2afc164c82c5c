import type { ImageSize, Raster8, Rgb } from '../core/runtime/raster.ts';
import type { StripImage } from '../kernels/picture/strips.ts';

/** Letters of the mark, each in a grid of 5 x 5 cells. */
const LETTERS: Readonly<Record<'T' | 'E' | 'S', readonly string[]>> = {
  T: ['#####', '  #  ', '  #  ', '  #  ', '  #  '],
  E: ['#####', '#    ', '#### ', '#    ', '#####'],
  S: ['#####', '#    ', '#####', '    #', '#####'],
};
const ROWS = [0, 1, 2, 3, 4].map(
  (row) => `${LETTERS.T[row]} ${LETTERS.E[row]} ${LETTERS.S[row]} ${LETTERS.T[row]}`,
);
const COLUMN_COUNT = ROWS[0]?.length ?? 0;

/** Cells of an image's width and height that the mark and its margins take. */
const MARK_CELLS = { across: COLUMN_COUNT + 8, down: ROWS.length + 6 };
/** Share of the longer side that a stripe takes. */
const STRIPE_SHARE = 1 / 16;
const INK: Rgb = [255, 255, 255];
/** Samples of a strip, at most. */
const STRIP_PIXELS = 1_000_000;

export interface Mark extends ImageSize {
  /** Number that chooses the colours: 0 to 2^32 - 1. */
  readonly seed: number;
  /** Whether all but the middle of the image is transparent. */
  readonly isTransparent: boolean;
}

/** Draws stripes with the word TEST in their middle, in strips: memory does not grow with the height. */
export function drawMark(mark: Mark): StripImage {
  const { width, height } = mark;
  const rows = Math.max(1, Math.floor(STRIP_PIXELS / width));
  const colourAt = createPainter(mark);
  async function* strips(): AsyncGenerator<Raster8> {
    for (let top = 0; top < height; top += rows) {
      const count = Math.min(rows, height - top);
      const data = new Uint8Array(width * count * 4);
      for (let at = 0; at < width * count; at++) {
        const [red, green, blue, alpha] = colourAt(at % width, top + Math.floor(at / width));
        data[at * 4] = red;
        data[at * 4 + 1] = green;
        data[at * 4 + 2] = blue;
        data[at * 4 + 3] = alpha;
      }
      yield { width, height: count, data };
    }
  }
  return { width, height, bitDepth: 8, strips: strips() };
}

type Pixel = readonly [red: number, green: number, blue: number, alpha: number];

const CLEAR: Pixel = [0, 0, 0, 0];

function createPainter({ width, height, seed, isTransparent }: Mark): (x: number, y: number) => Pixel {
  const dark: Pixel = [seed & 0x7f, (seed >>> 8) & 0x7f, (seed >>> 16) & 0x7f, 255];
  const light: Pixel = [dark[0] + 48, dark[1] + 48, dark[2] + 48, 255];
  const ink: Pixel = [...INK, 255];
  const stripe = Math.max(1, Math.round(Math.max(width, height) * STRIPE_SHARE));
  const cell = Math.floor(Math.min(width / MARK_CELLS.across, height / MARK_CELLS.down));
  const left = Math.floor((width - cell * COLUMN_COUNT) / 2);
  const top = Math.floor((height - cell * ROWS.length) / 2);
  const isInk = (x: number, y: number) =>
    cell > 0 && ROWS[Math.floor((y - top) / cell)]?.[Math.floor((x - left) / cell)] === '#';
  const isClear = (x: number, y: number) =>
    isTransparent && (x * 8 < width || x * 8 >= width * 7 || y * 8 < height || y * 8 >= height * 7);
  return (x, y) => {
    if (isClear(x, y)) return CLEAR;
    if (isInk(x, y)) return ink;
    return Math.floor((x + y) / stripe) % 2 === 0 ? dark : light;
  };
}
