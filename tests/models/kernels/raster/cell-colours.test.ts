import { describe, expect, it } from 'vitest';
import type { Raster } from '../../../../models/core/runtime/raster.ts';
import { CELL_SIDE_MAX, cellColours, resizeColours } from '../../../../models/kernels/raster/resize.ts';

const noise = (width: number, height: number, alpha: (at: number) => number): Raster => {
  const data = Uint8Array.from({ length: width * height * 4 }, (_, at) =>
    at % 4 === 3 ? alpha(at) : Math.imul(at + 1, 0x9e3779b1) >>> 24,
  );
  return { width, height, data };
};

/** Computes the mean of a cell's pixels over white, by the definition. */
function expected({ width, height, data }: Raster, side: number, column: number, y: number): number[] {
  const most = data instanceof Uint16Array ? 65535 : 255;
  const sums = [0, 0, 0];
  let count = 0;
  for (let row = y * side; row < Math.min(height, (y + 1) * side); row++) {
    for (let x = column * side; x < Math.min(width, (column + 1) * side); x++, count++) {
      const at = (row * width + x) * 4;
      const opacity = (data[at + 3] as number) / most;
      for (let channel = 0; channel < 3; channel++) {
        const share = (data[at + channel] as number) / most;
        sums[channel] = (sums[channel] as number) + share * opacity + 1 - opacity;
      }
    }
  }
  return sums.map((sum) => sum / count);
}

function compare(raster: Raster, side: number): void {
  const cells = cellColours(raster, side);
  expect([cells.width, cells.height]).toEqual([
    Math.ceil(raster.width / side),
    Math.ceil(raster.height / side),
  ]);
  const row = new Float32Array(cells.width * 3);
  for (let y = 0; y < cells.height; y++) {
    cells.read(y, row);
    for (let column = 0; column < cells.width; column++) {
      for (const [channel, value] of expected(raster, side, column, y).entries()) {
        expect(row[column * 3 + channel]).toBeCloseTo(value, 5);
      }
    }
  }
}

describe('mean colours of cells', () => {
  it.each([1, 2, 3, CELL_SIDE_MAX])('of %d x %d opaque pixels, fewer at the border', (side) => {
    compare(
      noise(37, 21, () => 255),
      side,
    );
  });

  it('do not overflow their sums when all is white', () => {
    const white: Raster = { width: 16, height: 16, data: new Uint8Array(1024).fill(255) };
    compare(white, CELL_SIDE_MAX);
  });

  it.each([1, 2, 5])('where %d x %d pixels are partly transparent, over white', (side) => {
    compare(
      noise(23, 11, (at) => (at % 28) * 9),
      side,
    );
  });

  it.each([0, 1, 10, 11])('of 2 x 2 where only pixel %d is not opaque, over white', (pixel) => {
    compare(
      noise(10, 4, (at) => (at === pixel * 4 + 3 ? 100 : 255)),
      2,
    );
  });

  it('accept 16-bit samples, and bytes that are not word-aligned', () => {
    const bytes = noise(9, 7, () => 255);
    const deep = Uint16Array.from(bytes.data, (value) => value * 257);
    compare({ ...bytes, data: deep }, 2);
    const shifted = new Uint8Array(bytes.data.length + 1);
    shifted.set(bytes.data, 1);
    compare({ ...bytes, data: shifted.subarray(1) }, 2);
  });
});

describe('a large reduction', () => {
  it('keeps an edge in place, also where cells do not divide the image', () => {
    const [width, height, edge] = [1003, 421, 618];
    const data = Uint8Array.from({ length: width * height * 4 }, (_, at) =>
      at % 4 === 3 || Math.floor(at / 4) % width >= edge ? 255 : 0,
    );
    const { data: small } = resizeColours({ width, height, data }, 50, 21);
    const row = small.subarray(0, 150).filter((_, at) => at % 3 === 0);
    const dark = row.reduce((sum, value) => sum + 1 - value, 0);
    expect(dark).toBeCloseTo((edge * 50) / width, 1);
  });

  it('makes a checkerboard of single pixels grey', () => {
    const data = Uint8Array.from({ length: 200 * 200 * 4 }, (_, at) => {
      const pixel = Math.floor(at / 4);
      return at % 4 === 3 || ((pixel % 200) + Math.floor(pixel / 200)) % 2 ? 255 : 0;
    });
    for (const value of resizeColours({ width: 200, height: 200, data }, 21, 17).data) {
      expect(value).toBeCloseTo(0.5, 2);
    }
  });
});
