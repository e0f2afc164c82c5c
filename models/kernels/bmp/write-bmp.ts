import type { Raster } from '../../raster.ts';

const HEAD_BYTES = 14 + 40;
/** 72 dots per inch. */
const PIXELS_PER_METRE = 2835;

/** An opaque 24-bit Windows bitmap (BITMAPINFOHEADER, rows from the bottom, padded to 4 bytes). Alpha is left out. */
export function writeBmp(raster: Raster): Uint8Array<ArrayBuffer> {
  const { width, height, data } = raster;
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const file = new Uint8Array(HEAD_BYTES + rowBytes * height);
  const view = new DataView(file.buffer);
  file.set([0x42, 0x4d]);
  view.setUint32(2, file.length, true);
  view.setUint32(10, HEAD_BYTES, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  view.setUint32(34, rowBytes * height, true);
  view.setUint32(38, PIXELS_PER_METRE, true);
  view.setUint32(42, PIXELS_PER_METRE, true);
  const shift = data instanceof Uint16Array ? 8 : 0;
  for (let y = 0; y < height; y++) {
    let from = y * width * 4;
    let to = HEAD_BYTES + (height - 1 - y) * rowBytes;
    for (let x = 0; x < width; x++, from += 4, to += 3) {
      file[to] = (data[from + 2] as number) >> shift;
      file[to + 1] = (data[from + 1] as number) >> shift;
      file[to + 2] = (data[from] as number) >> shift;
    }
  }
  return file;
}
