import type { Rgba } from '../../core/runtime/raster.ts';
import {
  type Corner,
  countUpTo,
  type Extent,
  type Gradient,
  type Length,
  type LinearGradient,
  type RadialGradient,
  type Stop,
} from '../../kernels/colour/css-gradient.ts';
import type { Backdrop } from './backdrop.ts';

/** Position of a pixel on the gradient line, 0 at its start and 1 at its end. */
type PlaceOf = (x: number, y: number) => number;

interface Line {
  readonly getPlace: PlaceOf;
  /** Length in pixels, for stops given in pixels. */
  readonly lengthPx: number;
}

/** Stops of a gradient, in ascending order of their positions. */
interface PlacedStops {
  readonly positions: Float64Array;
  readonly colours: readonly Rgba[];
}

/**
 * Paints a gradient over an image of `width` x `height`, as CSS Images 3 paints it over a box. The work for a pixel
 * grows with the logarithm of the number of stops.
 */
export function gradientBackdrop(gradient: Gradient, width: number, height: number): Backdrop {
  const line =
    gradient.kind === 'linear' ? linearLine(gradient, width, height) : radialLine(gradient, width, height);
  const stops = placeStops(gradient.stops, line.lengthPx);
  return {
    paint(y, row) {
      for (let at = 0, x = 0; at < row.length; at += 4, x++) {
        writeColour(stops, line.getPlace(x + 0.5, y + 0.5), row, at);
      }
    },
  };
}

function linearLine({ direction }: LinearGradient, width: number, height: number): Line {
  const [towardsX, towardsY] =
    typeof direction === 'number' ? getVector(direction) : cornerVector(direction, width, height);
  const size = Math.hypot(towardsX, towardsY);
  const dx = towardsX / size;
  const dy = towardsY / size;
  const lengthPx = Math.abs(width * dx) + Math.abs(height * dy);
  return {
    lengthPx,
    getPlace: (x, y) => ((x - width / 2) * dx + (y - height / 2) * dy) / lengthPx + 0.5,
  };
}

function getVector(degrees: number): [number, number] {
  const radians = (degrees * Math.PI) / 180;
  return [Math.sin(radians), -Math.cos(radians)];
}

/**
 * Returns the gradient direction towards a corner: the line of equal colour through the centre meets the two
 * neighbouring corners.
 */
function cornerVector([horizontal, vertical]: Corner, width: number, height: number): [number, number] {
  return horizontal !== 0 && vertical !== 0
    ? [horizontal * height, vertical * width]
    : [horizontal, vertical];
}

function radialLine(gradient: RadialGradient, width: number, height: number): Line {
  const cx = inPixels(gradient.centre[0], width);
  const cy = inPixels(gradient.centre[1], height);
  const sides = {
    left: Math.abs(cx),
    right: Math.abs(width - cx),
    top: Math.abs(cy),
    bottom: Math.abs(height - cy),
  };
  const [rx, ry] =
    typeof gradient.size === 'string'
      ? getRadii(gradient.shape, gradient.size, sides)
      : [inPixels(gradient.size[0], width), inPixels(gradient.size[1], height)];
  // A zero radius still has a last colour, which fills everything.
  const safeX = Math.max(rx, 1e-6);
  const safeY = Math.max(ry, 1e-6);
  return { lengthPx: safeX, getPlace: (x, y) => Math.hypot((x - cx) / safeX, (y - cy) / safeY) };
}

interface Sides {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function getRadii(shape: RadialGradient['shape'], extent: Extent, sides: Sides): [number, number] {
  const choose = extent.startsWith('closest') ? Math.min : Math.max;
  const across = choose(sides.left, sides.right);
  const down = choose(sides.top, sides.bottom);
  const isCorner = extent.endsWith('corner');
  if (shape === 'circle') {
    const radius = isCorner ? Math.hypot(across, down) : choose(across, down);
    return [radius, radius];
  }
  // The ellipse through the corner has the shape of the one through the sides.
  return isCorner ? [across * Math.SQRT2, down * Math.SQRT2] : [across, down];
}

function inPixels({ share, px }: Length, whole: number): number {
  return share * whole + px;
}

/** Positions all stops: CSS Images 3, section 3.4.3. */
function placeStops(stops: readonly Stop[], lengthPx: number): PlacedStops {
  const positions = stops.map(({ at }, index) => {
    if (at) return at.share + at.px / lengthPx;
    if (index === 0) return 0;
    return index === stops.length - 1 ? 1 : null;
  });
  let reached = Number.NEGATIVE_INFINITY;
  const rising = positions.map((pixel) => {
    if (pixel !== null) reached = Math.max(reached, pixel);
    return pixel === null ? null : reached;
  });
  return {
    positions: Float64Array.from(rising, (position, index) => position ?? spread(rising, index)),
    colours: stops.map(({ colour }) => colour),
  };
}

/** Positions a stop without a position: evenly between its positioned neighbours. */
function spread(positions: readonly (number | null)[], index: number): number {
  const before = positions.findLastIndex((position, at) => at < index && position !== null);
  const after = positions.findIndex((position, at) => at > index && position !== null);
  const [from, to] = [positions[before] ?? 0, positions[after] ?? 1];
  return from + ((to - from) * (index - before)) / (after - before);
}

/** Mixes colours between two stops premultiplied by alpha, so that transparent has no colour. */
function writeColour(
  { positions, colours }: PlacedStops,
  pixel: number,
  row: Float32Array,
  at: number,
): void {
  const index = countUpTo(positions, pixel);
  const before = Math.max(0, index - 1);
  const after = Math.min(positions.length - 1, index);
  const from = colours[before];
  if (before === after) {
    row.set(from, at);
    return;
  }
  const to = colours[after];
  const start = positions[before];
  const share = (pixel - start) / (positions[after] - start);
  const fromAlpha = from[3] * (1 - share);
  const toAlpha = to[3] * share;
  const alpha = fromAlpha + toAlpha;
  for (let channel = 0; channel < 3; channel++) {
    const mixed = from[channel] * fromAlpha + to[channel] * toAlpha;
    row[at + channel] = alpha > 0 ? mixed / alpha : 0;
  }
  row[at + 3] = alpha;
}
