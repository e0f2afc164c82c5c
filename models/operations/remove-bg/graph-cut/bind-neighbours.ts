import type { FloatImage } from '../../../core/runtime/raster.ts';
import { DIRECTIONS, type GridFlow } from './grid-flow.ts';

/** Part of a grid; `right` and `bottom` lie just outside. */
export interface GridWindow {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Connects the nodes of a window to their neighbours, so that a cut follows edges of colour: the contrast term of C.
 * Rother, V. Kolmogorov, A. Blake, "GrabCut", SIGGRAPH 2004.
 * @param flow grid of the window's size
 * @param colours red, green, blue, 0 to 1, of the whole grid
 * @param cost cost of a cut between two pixels of the same colour
 */
export function bindNeighbours(
  flow: GridFlow,
  { data, width }: FloatImage,
  window: GridWindow,
  cost: number,
): void {
  const contrastOf = (pixel: number, other: number): number => {
    let sum = 0;
    for (let channel = 0; channel < 3; channel++) {
      sum += (data[pixel * 3 + channel] - data[other * 3 + channel]) ** 2;
    }
    return sum;
  };
  const pairs = (visit: (x: number, y: number, direction: number, contrast: number) => void) =>
    forEachNode(window, (x, y) => {
      // Every other direction: the opposite ones are connected with them.
      for (let direction = 0; direction < DIRECTIONS.length; direction += 2) {
        const [dx, dy] = DIRECTIONS[direction];
        if (x + dx >= window.right || y + dy >= window.bottom || y + dy < window.top) continue;
        visit(x, y, direction, contrastOf(y * width + x, (y + dy) * width + x + dx));
      }
    });
  let total = 0;
  let count = 0;
  pairs((_x, _y, _direction, contrast) => {
    total += contrast;
    count += 1;
  });
  const beta = total > 0 ? count / (2 * total) : 0;
  pairs((x, y, direction, contrast) => {
    const span = direction < 4 ? 1 : Math.SQRT2;
    flow.bindToNeighbour(
      x - window.left,
      y - window.top,
      direction,
      (cost * Math.exp(-beta * contrast)) / span,
    );
  });
}

/** Calls `visit` for each node of a window, row by row. */
export function forEachNode(window: GridWindow, visit: (x: number, y: number) => void): void {
  for (let y = window.top; y < window.bottom; y++)
    for (let x = window.left; x < window.right; x++) visit(x, y);
}
