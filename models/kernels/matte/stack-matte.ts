import type { Raster8 } from '../../core/runtime/raster.ts';
import { evenSides } from '../video/even-sides.ts';

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
