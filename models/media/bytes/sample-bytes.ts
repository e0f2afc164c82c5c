import type { Raster } from '../../core/runtime/raster.ts';
import type { Bytes } from './byte-writer.ts';

interface Rows {
  readonly top: number;
  readonly rows: number;
  /** Byte order of 16-bit samples. */
  readonly order: 'big' | 'little';
}

/** Returns rows of a raster in file layout: interleaved, with or without alpha, no padding. */
export function samplesAsBytes(raster: Raster, channels: 3 | 4, { top, rows, order }: Rows): Bytes {
  const { width, data } = raster;
  const is16Bit = data instanceof Uint16Array;
  if (!is16Bit && channels === 4) return data.slice(top * width * 4, (top + rows) * width * 4);
  const bytes = new Uint8Array(rows * width * channels * (is16Bit ? 2 : 1));
  const high = order === 'big' ? 0 : 1;
  let to = 0;
  for (let from = top * width * 4; from < (top + rows) * width * 4; from += 4) {
    for (let channel = 0; channel < channels; channel++) {
      const sample = data[from + channel];
      if (is16Bit) {
        bytes[to + high] = sample >> 8;
        bytes[to + 1 - high] = sample;
        to += 2;
      } else bytes[to++] = sample;
    }
  }
  return bytes;
}
