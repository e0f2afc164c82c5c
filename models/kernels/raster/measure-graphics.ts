import type { Raster } from '../../core/runtime/raster.ts';

/** Measures by which a drawing differs from a photograph. */
export interface GraphicsMeasure {
  /** Share of squares of 2 x 2 pixels that have one colour. */
  readonly flatShare: number;
  /** Share of such squares with small differences, as of noise and shading, which every photograph has. */
  readonly softShare: number;
  /**
   * Share of squares of 2 x 2 pixels that lose their colour when chroma has half the resolution, in the part of the
   * image that has the most of them.
   */
  readonly colourEdges: number;
}

/** Side of the parts of which the one with the most colour edges counts, in pixels. A few letters fill one. */
const PART = 32;
const SQUARES_PER_PART = (PART / 2) ** 2;
/** Largest difference of samples in a soft square, of 255. */
const SOFT_MAX = 7;
/** Distance from the mean chroma of a square from which on a pixel visibly changes its colour, of 255. */
const CHROMA_ERROR = 32;
/** Difference in chroma of two flat squares from which on decoders, which interpolate chroma, mix them visibly. */
const CHROMA_JUMP = 64;
/** Chroma by BT.601, in 256ths. */
interface Weights {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}
const SCALE = 256;
const BLUE_DIFFERENCE: Weights = { red: -43, green: -85, blue: 128 };
const RED_DIFFERENCE: Weights = { red: 128, green: -107, blue: -21 };
/** Colour of a square that is not flat. */
const MIXED = -1;

/** Measures an image. Transparent pixels, and an odd last row or column, do not count. */
export function measureGraphics({ width, height, data }: Raster): GraphicsMeasure {
  const shift = data instanceof Uint16Array ? 8 : 0;
  /** Number of squares that lose their colour, by the part of the current row of parts. */
  const lost = new Uint32Array(Math.ceil(width / PART));
  /** Colours of the squares above, as 24 bits. */
  const colours = new Int32Array(width >> 1).fill(MIXED);
  let [squares, flat, soft, mostLost] = [0, 0, 0, 0];
  for (let y = 0; y + 1 < height; y += 2) {
    if (y % PART === 0) endParts();
    let left = MIXED;
    for (let square = 0; square < colours.length; square++) {
      left = addSquare((y * width + 2 * square) * 4, square, left);
      colours[square] = left;
    }
  }
  endParts();
  const total = Math.max(1, squares);
  return {
    flatShare: flat / total,
    softShare: soft / total,
    colourEdges: mostLost / SQUARES_PER_PART,
  };

  function endParts(): void {
    mostLost = lost.reduce((most, each) => Math.max(most, each), mostLost);
    lost.fill(0);
  }

  /**
   * Counts a square of pixels.
   * @param left colour of the square before
   * @returns its colour
   */
  function addSquare(at: number, square: number, left: number): number {
    const below = at + width * 4;
    if (!data[at + 3] || !data[at + 7] || !data[below + 3] || !data[below + 7]) return MIXED;
    squares += 1;
    const range = Math.max(
      getRange(data, at, below, shift),
      getRange(data, at + 1, below + 1, shift),
      getRange(data, at + 2, below + 2, shift),
    );
    if (range > 0) {
      if (range <= SOFT_MAX) soft += 1;
      else if (range > CHROMA_ERROR && losesColour(data, at, below, shift)) countLost(square);
      return MIXED;
    }
    flat += 1;
    const colour = colourAt(data, at, shift);
    if (isJump(colour, left) || isJump(colour, colours[square])) countLost(square);
    return colour;
  }

  function countLost(square: number): void {
    lost[Math.floor((2 * square) / PART)] += 1;
  }
}

function getRange(data: Raster['data'], at: number, below: number, shift: number): number {
  const one = data[at] >> shift;
  const two = data[at + 4] >> shift;
  const three = data[below] >> shift;
  const four = data[below + 4] >> shift;
  return Math.max(one, two, three, four) - Math.min(one, two, three, four);
}

/** Reports whether the mean chroma of a square is far from that of one of its pixels. */
function losesColour(data: Raster['data'], at: number, below: number, shift: number): boolean {
  const one = colourAt(data, at, shift);
  const two = colourAt(data, at + 4, shift);
  const three = colourAt(data, below, shift);
  const four = colourAt(data, below + 4, shift);
  return (
    spread(one, two, three, four, BLUE_DIFFERENCE) > CHROMA_ERROR * SCALE ||
    spread(one, two, three, four, RED_DIFFERENCE) > CHROMA_ERROR * SCALE
  );
}

/** Returns the largest distance of the chroma of a colour from the mean of four. */
function spread(one: number, two: number, three: number, four: number, weights: Weights): number {
  const a = getChroma(one, weights);
  const b = getChroma(two, weights);
  const c = getChroma(three, weights);
  const d = getChroma(four, weights);
  const mean = (a + b + c + d) / 4;
  return Math.max(a - mean, b - mean, c - mean, d - mean, mean - a, mean - b, mean - c, mean - d);
}

/** Reports whether two squares differ in chroma so much that neither keeps its colour. */
function isJump(one: number, other: number): boolean {
  if (one === other || one === MIXED || other === MIXED) return false;
  return (
    Math.abs(getChroma(one, BLUE_DIFFERENCE) - getChroma(other, BLUE_DIFFERENCE)) > CHROMA_JUMP * SCALE ||
    Math.abs(getChroma(one, RED_DIFFERENCE) - getChroma(other, RED_DIFFERENCE)) > CHROMA_JUMP * SCALE
  );
}

/** Returns the colour of a pixel as 24 bits. */
function colourAt(data: Raster['data'], at: number, shift: number): number {
  const red = data[at] >> shift;
  const green = data[at + 1] >> shift;
  return (red << 16) | (green << 8) | (data[at + 2] >> shift);
}

function getChroma(colour: number, { red, green, blue }: Weights): number {
  return red * (colour >> 16) + green * ((colour >> 8) & 0xff) + blue * (colour & 0xff);
}
