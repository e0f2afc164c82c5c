import { type BmpHeader, damagedBmp } from './bmp-header.ts';
import { writeColour } from './palette.ts';

/**
 * Unpacks BI_RLE8 and BI_RLE4. Pixels that the code skips stay transparent.
 * @returns whether any pixel was skipped
 */
export function unpackRle(bytes: Uint8Array, header: BmpHeader, data: Uint8Array): boolean {
  const { width, height, palette, isTopDown } = header;
  const isNibbles = header.packing === 'rle4';
  let at = header.pixelsOffset;
  let x = 0;
  let y = 0;
  let painted = 0;
  const next = (): number => {
    const byte = bytes[at++];
    if (byte === undefined) throw damagedBmp('it ends within its pixels');
    return byte;
  };
  const paint = (index: number): void => {
    if (x >= width || y >= height) throw damagedBmp('a run goes past the edge');
    const to = ((isTopDown ? y : height - 1 - y) * width + x++) * 4;
    if (!data[to + 3]) painted++;
    writeColour(data, to, palette, index);
  };
  const nibble = (byte: number, step: number): number => (step & 1 ? byte & 15 : byte >> 4);
  while (y < height) {
    const count = next();
    const value = next();
    if (count > 0) {
      const room = Math.min(count, isNibbles ? width - x + 1 : count);
      for (let step = 0; step < room && !(isNibbles && x >= width); step++) {
        paint(isNibbles ? nibble(value, step) : value);
      }
    } else if (value === 0) {
      x = 0;
      y++;
    } else if (value === 1) {
      break;
    } else if (value === 2) {
      x += next();
      y += next();
    } else {
      let byte = 0;
      for (let step = 0; step < value; step++) {
        if (!isNibbles || !(step & 1)) byte = next();
        paint(isNibbles ? nibble(byte, step) : byte);
      }
      const used = isNibbles ? Math.ceil(value / 2) : value;
      if (used & 1) at++;
    }
  }
  return painted < width * height;
}
