import type { Raster8 } from '../../core/runtime/raster.ts';

/** Makes odd sides even by repeating the last column and row: half-size chroma covers two by two pixels. */
export function evenSides<Kind extends Raster8>(raster: Kind): Kind {
  const width = raster.width + (raster.width % 2);
  const height = raster.height + (raster.height % 2);
  if (width === raster.width && height === raster.height) return raster;
  const data = new Uint8Array(width * height * 4);
  const row = raster.width * 4;
  for (let y = 0; y < height; y++) {
    const from = Math.min(y, raster.height - 1) * row;
    data.set(raster.data.subarray(from, from + row), y * width * 4);
    if (width > raster.width) {
      data.set(raster.data.subarray(from + row - 4, from + row), y * width * 4 + row);
    }
  }
  return { ...raster, width, height, data };
}

/**
 * Builds an opaque raster of double height: colours above, alpha below as grey. Video without an alpha channel
 * carries its matte this way. Both halves have even sides.
 */
export function stackMatte<Kind extends Raster8>(raster: Kind): Kind {
  const even = evenSides(raster);
  const data = new Uint8Array(even.data.length * 2);
  const below = even.data.length;
  for (let at = 0; at < even.data.length; at += 4) {
    const alpha = even.data[at + 3];
    data[at] = even.data[at];
    data[at + 1] = even.data[at + 1];
    data[at + 2] = even.data[at + 2];
    data[at + 3] = 255;
    data.fill(alpha, below + at, below + at + 3);
    data[below + at + 3] = 255;
  }
  return { ...even, height: even.height * 2, data };
}
