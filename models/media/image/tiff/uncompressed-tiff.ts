import { type Bytes, concat, u8 } from '../../bytes/byte-writer.ts';
import { TAG, type TiffDirectory, type TiffField, TYPE, writeDirectory } from './directory.ts';

/** Layout of an uncompressed TIFF: interleaved, straight alpha last, top row first, little-endian. */
export interface TiffLayout {
  readonly width: number;
  readonly height: number;
  /** RGB, or RGBA. */
  readonly channels: 3 | 4;
  readonly bitsPerSample: 8 | 16;
  readonly icc?: Uint8Array | undefined;
}

const HEAD = u8(0x49, 0x49, 42, 0, 8, 0, 0, 0);
const ROWS_PER_STRIP = 64;

/**
 * Builds an uncompressed TIFF file with room for its samples: the cheapest way to pass samples with a colour profile
 * to another library. Write the samples into `samples`, then pass on `file`.
 */
export function uncompressedTiff(layout: TiffLayout): {
  file: Bytes;
  samples: Bytes;
} {
  const head = uncompressedTiffHead(layout);
  const file = new Uint8Array(head.length + getRowBytes(layout) * layout.height);
  file.set(head);
  return { file, samples: file.subarray(head.length) };
}

/** Returns all bytes of an uncompressed TIFF file before its samples. TIFF 6.0, sections 2, 3, 18. */
export function uncompressedTiffHead(layout: TiffLayout): Bytes {
  const bytes = HEAD.length + writeDirectory(listFields(layout, 0), HEAD.length, 0).length;
  const padding = new Uint8Array((8 - (bytes % 8)) % 8);
  const directory = writeDirectory(listFields(layout, bytes + padding.length), HEAD.length, 0);
  return concat([HEAD, directory, padding]);
}

function listFields(layout: TiffLayout, samplesAt: number): TiffDirectory {
  const { width, height, channels, bitsPerSample, icc } = layout;
  const stripBytes = getRowBytes(layout) * ROWS_PER_STRIP;
  const wholeBytes = getRowBytes(layout) * height;
  const starts = Array.from({ length: Math.ceil(height / ROWS_PER_STRIP) }, (_, strip) => strip * stripBytes);
  return [
    longs(256, width),
    longs(257, height),
    shorts(258, ...Array<number>(channels).fill(bitsPerSample)),
    shorts(259, 1), // no compression
    shorts(262, 2), // RGB
    longs(273, ...starts.map((start) => samplesAt + start)),
    shorts(274, 1), // upright
    shorts(277, channels),
    longs(278, ROWS_PER_STRIP),
    longs(279, ...starts.map((start) => Math.min(stripBytes, wholeBytes - start))),
    shorts(284, 1), // interleaved
    ...(channels === 4 ? [shorts(338, 2)] : []), // straight alpha
    ...(icc ? [{ tag: TAG.icc, type: TYPE.undefined, value: new Uint8Array(icc) }] : []),
  ];
}

function shorts(tag: number, ...numbers: number[]): TiffField {
  return { tag, type: TYPE.short, value: new Uint8Array(Uint16Array.from(numbers).buffer) };
}

function longs(tag: number, ...numbers: number[]): TiffField {
  return { tag, type: TYPE.long, value: new Uint8Array(Uint32Array.from(numbers).buffer) };
}

function getRowBytes({ width, channels, bitsPerSample }: TiffLayout): number {
  return (width * channels * bitsPerSample) / 8;
}
