/** One brush stroke on an image. */
export interface Stroke {
  readonly mode: 'keep' | 'erase';
  /** Radius as a share of the image's longer side. */
  readonly radius: number;
  /** Points of the stroke, as shares of the image's width and height: 0 to 1 within it. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** Marks the grid cells that a stroke covers: at least those that it passes through. */
export function paintStroke(
  { points, radius }: Stroke,
  { width, height }: { readonly width: number; readonly height: number },
): Uint8Array<ArrayBuffer> {
  const painted = new Uint8Array(width * height);
  const reach = Math.max(Math.SQRT1_2, radius * Math.max(width, height));
  const [first = [-1, -1]] = points;
  let from = first;
  for (const to of points) {
    paintLine(painted, width, height, reach, [
      from[0] * width,
      from[1] * height,
      to[0] * width,
      to[1] * height,
    ]);
    from = to;
  }
  return painted;
}

type Line = readonly [x0: number, y0: number, x1: number, y1: number];

function paintLine(painted: Uint8Array, width: number, height: number, reach: number, line: Line): void {
  const [x0, y0, x1, y1] = line;
  const top = Math.max(0, Math.floor(Math.min(y0, y1) - reach));
  const bottom = Math.min(height - 1, Math.ceil(Math.max(y0, y1) + reach));
  const left = Math.max(0, Math.floor(Math.min(x0, x1) - reach));
  const right = Math.min(width - 1, Math.ceil(Math.max(x0, x1) + reach));
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      if (distanceToLine(x + 0.5, y + 0.5, line) <= reach) painted[y * width + x] = 1;
    }
  }
}

function distanceToLine(x: number, y: number, [x0, y0, x1, y1]: Line): number {
  const dx = x1 - x0;
  const dy = y1 - y0;
  const length = dx * dx + dy * dy;
  const share = length > 0 ? Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / length)) : 0;
  return Math.hypot(x - x0 - share * dx, y - y0 - share * dy);
}
