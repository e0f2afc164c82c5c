import { BitReader } from '../bytes/bit-reader.ts';

/** Width and height of a pixel, of which only the ratio counts. */
export interface PixelAspect {
  readonly width: number;
  readonly height: number;
}

/** Pixel aspects by their codes, which H.264, H.265 and, for the first five, MPEG-4 share: ITU-T H.264, table E-1. */
const ASPECTS: readonly (readonly [width: number, height: number])[] = [
  [1, 1],
  [12, 11],
  [10, 11],
  [16, 11],
  [40, 33],
  [24, 11],
  [20, 11],
  [32, 11],
  [80, 33],
  [18, 11],
  [15, 11],
  [64, 33],
  [160, 99],
  [4, 3],
  [3, 2],
  [2, 1],
];
/** Code of H.264 and H.265 for an aspect that is given by two numbers. */
const OWN_ASPECT = 255;
/** Start of a video object layer, and its code for an aspect in two numbers: ISO 14496-2, 6.2.3 and table 6-12. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a start code has them
const LAYER_START = /\0\0\x01[\x20-\x2f]/;
const OWN_LAYER_ASPECT = 15;

/** Reads the pixel aspect at the start of the usability information of H.264 and H.265: E.1.1. Null where unstated. */
export function readUsabilityAspect(bits: BitReader): PixelAspect | null {
  if (bits.bit() === 0) return null;
  const code = bits.bits(8);
  return code === OWN_ASPECT ? { width: bits.bits(16), height: bits.bits(16) } : aspectOf(code);
}

/** Reads the pixel aspect of MPEG-4 Part 2 from bytes that hold its first header; null where it states none. */
export function readLayerAspect(bytes: Uint8Array): PixelAspect | null {
  const at = new TextDecoder('latin1').decode(bytes).search(LAYER_START);
  if (at < 0) return null;
  const bits = new BitReader(bytes.subarray(at + 4));
  bits.skip(9);
  if (bits.bit() === 1) bits.skip(7);
  const code = bits.bits(4);
  return code === OWN_LAYER_ASPECT ? { width: bits.bits(8), height: bits.bits(8) } : aspectOf(code);
}

function aspectOf(code: number): PixelAspect | null {
  const [width, height] = ASPECTS[code - 1] ?? [];
  return width && height ? { width, height } : null;
}
