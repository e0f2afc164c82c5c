import type { PrintResolution } from '../../../core/runtime/image-codec.ts';
import type { RgbSamples } from '../../../core/runtime/raster.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { perMetreOf } from '../../bytes/print-units.ts';

const HEAD_BYTES = 14 + 40;

const BAND_ROWS = 256;

/**
 * Writes a 24-bit Windows bitmap (BITMAPINFOHEADER, bottom row first, padded to 4 bytes), one band of rows at a time,
 * so that a large image never occupies memory twice.
 * @param resolution 0, which stands for none, when absent
 */
export function* writeBmp(samples: RgbSamples, resolution?: PrintResolution): Generator<Bytes> {
  yield bmpHead(samples, resolution);
  for (let bottom = samples.height; bottom > 0; bottom -= BAND_ROWS) {
    yield bmpRows(samples, Math.max(0, bottom - BAND_ROWS), bottom);
  }
}

function rowBytesOf(width: number): number {
  return Math.ceil((width * 3) / 4) * 4;
}

function bmpHead({ width, height }: RgbSamples, resolution?: PrintResolution): Bytes {
  const head = new Uint8Array(HEAD_BYTES);
  const view = new DataView(head.buffer);
  const pixelBytes = rowBytesOf(width) * height;
  head.set([0x42, 0x4d]);
  view.setUint32(2, HEAD_BYTES + pixelBytes, true);
  view.setUint32(10, HEAD_BYTES, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  view.setUint32(34, pixelBytes, true);
  view.setInt32(38, perMetreOf(resolution?.x ?? 0), true);
  view.setInt32(42, perMetreOf(resolution?.y ?? 0), true);
  return head;
}

/** Returns rows `top` to `bottom` (exclusive), last row first, blue before red. */
function bmpRows({ width, data }: RgbSamples, top: number, bottom: number): Bytes {
  const rowBytes = rowBytesOf(width);
  const rows = new Uint8Array(rowBytes * (bottom - top));
  for (let y = top; y < bottom; y++) {
    let from = y * width * 3;
    let to = (bottom - 1 - y) * rowBytes;
    for (let x = 0; x < width; x++, from += 3, to += 3) {
      rows[to] = data[from + 2];
      rows[to + 1] = data[from + 1];
      rows[to + 2] = data[from];
    }
  }
  return rows;
}
