import { ascii, type Bytes, concat, u8 } from '../../../models/media/bytes/byte-writer.ts';
import { divideIntoBlocks } from '../../../models/media/image/gif/blocks.ts';
import { packGifLzw } from '../../../models/media/image/gif/lzw.ts';

/** Red, green, blue, yellow. */
export const GIF_PALETTE = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
] as const;

const CODE_BITS = 2;

export interface GifFrameOptions {
  readonly left?: number;
  readonly top?: number;
  readonly width: number;
  readonly height: number;
  /** Place in the palette of all its pixels. */
  readonly index: number;
  readonly disposal?: number;
  /** Place in the palette that is transparent; none when absent. */
  readonly transparent?: number;
}

interface GifOptions {
  readonly screen: readonly [width: number, height: number];
  readonly frames: readonly GifFrameOptions[];
  /** Extensions, each whole, before the first frame. */
  readonly extensions?: readonly Bytes[];
}

/** Makes a GIF of plain frames, shown for 100 ms each, whose background colour is green. */
export function createGif({ screen, frames, extensions = [] }: GifOptions): Bytes {
  const little = (...numbers: number[]) => u8(...numbers.flatMap((number) => [number & 0xff, number >> 8]));
  return concat([
    ascii('GIF89a'),
    little(...screen),
    u8(0xf0 | (CODE_BITS - 1), 1, 0),
    u8(...GIF_PALETTE.flat()),
    ...extensions,
    ...frames.flatMap(({ left = 0, top = 0, width, height, index, disposal = 0, transparent }) => [
      u8(0x21, 0xf9, 4, (disposal << 2) | (transparent === undefined ? 0 : 1), 10, 0, transparent ?? 0, 0),
      u8(0x2c),
      little(left, top, width, height),
      u8(0, CODE_BITS),
      ...divideIntoBlocks(packGifLzw(new Uint8Array(width * height).fill(index), CODE_BITS)),
    ]),
    u8(0x3b),
  ]);
}
