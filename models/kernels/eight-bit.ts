import type { Raster } from '../raster.ts';

export interface EightBitRaster extends Raster {
  readonly data: Uint8Array<ArrayBuffer>;
}

/** The raster with 8 bits a sample: itself when it has such. */
export function toEightBit({ width, height, data }: Raster): EightBitRaster {
  // 65535 is 255 times 257.
  return {
    width,
    height,
    data: data instanceof Uint8Array ? data : Uint8Array.from(data, (sample) => (sample + 128) / 257),
  };
}
