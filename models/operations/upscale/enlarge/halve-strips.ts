import type { Raster } from '../../../core/runtime/raster.ts';
import type { StripImage } from '../../../kernels/picture/strips.ts';

/**
 * Reduces an image to half its size, each pixel the mean of four, strip by strip. Colours count by their alpha.
 * @param image of even sides, whose strips have even heights
 */
export function halveStrips({ width, height, bitDepth, strips }: StripImage): StripImage {
  async function* halved(): AsyncGenerator<Raster> {
    for await (const strip of strips) yield halveRaster(strip);
  }
  return { width: width / 2, height: height / 2, bitDepth, strips: halved() };
}

/** Reduces a raster of even sides to half its size, each pixel the mean of four. Colours count by their alpha. */
export function halveRaster({ width, height, data }: Raster): Raster {
  const half = { width: width / 2, height: height / 2 };
  const into = new (data instanceof Uint16Array ? Uint16Array : Uint8Array)(half.width * half.height * 4);
  for (let y = 0, to = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++, to += 4) {
      const first = (2 * y * width + 2 * x) * 4;
      const places = [first, first + 4, first + width * 4, first + width * 4 + 4];
      const alpha = places.reduce((sum, at) => sum + data[at + 3], 0);
      for (let channel = 0; channel < 3 && alpha > 0; channel++) {
        const sum = places.reduce((total, at) => total + data[at + channel] * data[at + 3], 0);
        into[to + channel] = Math.round(sum / alpha);
      }
      into[to + 3] = Math.round(alpha / 4);
    }
  }
  return { ...half, data: into };
}
