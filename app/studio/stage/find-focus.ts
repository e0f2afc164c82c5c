/** Pixels of an image, RGBA, 0 to 255. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: ArrayLike<number>;
}

/** Point in shares of an image's sides. */
export interface SharePoint {
  readonly x: number;
  readonly y: number;
}

/** Cells along the longer side: a few together make a view. */
const CELLS = 24;
/** Cells around one that count with it. */
const REACH = 2;

/** Returns the middle of the region with the strongest edges: where an enlargement shows its quality. */
export function mostDetailed(image: Pixels): SharePoint {
  const { width, data } = image;
  return strongest(image, (at, x) => {
    const right = x + 1 < width ? Math.abs(lightAt(data, at + 4) - lightAt(data, at)) : 0;
    const below =
      at + width * 4 < data.length ? Math.abs(lightAt(data, at + width * 4) - lightAt(data, at)) : 0;
    return right + below;
  });
}

/** Returns the middle of the region in which two images of one size differ most. */
export function mostDifferent(one: Pixels, other: Pixels): SharePoint {
  return strongest(one, (at) => {
    let sum = 0;
    for (let channel = at; channel < at + 4; channel++) {
      sum += Math.abs(one.data[channel] - other.data[channel]);
    }
    return sum;
  });
}

function lightAt(data: ArrayLike<number>, at: number): number {
  const [red, green, blue] = [data[at], data[at + 1], data[at + 2]];
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** Sums a value over cells, and returns the cell with the largest sum together with its neighbours. */
function strongest({ width, height }: Pixels, valueAt: (at: number, x: number) => number): SharePoint {
  const side = Math.max(1, Math.ceil(Math.max(width, height) / CELLS));
  const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)];
  const sums = new Float64Array(columns * rows);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const cell = Math.floor(y / side) * columns + Math.floor(x / side);
      sums[cell] = sums[cell] + valueAt(at, x);
    }
  }
  let best = { sum: -1, column: 0, row: 0 };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const sum = sumAround(sums, { columns, rows, column, row });
      if (sum > best.sum) best = { sum, column, row };
    }
  }
  return {
    x: Math.min(1, ((best.column + 0.5) * side) / width),
    y: Math.min(1, ((best.row + 0.5) * side) / height),
  };
}

interface Cell {
  readonly columns: number;
  readonly rows: number;
  readonly column: number;
  readonly row: number;
}

function sumAround(sums: Float64Array, { columns, rows, column, row }: Cell): number {
  let sum = 0;
  for (let y = Math.max(0, row - REACH); y <= Math.min(rows - 1, row + REACH); y++) {
    for (let x = Math.max(0, column - REACH); x <= Math.min(columns - 1, column + REACH); x++) {
      sum += sums[y * columns + x];
    }
  }
  return sum;
}
