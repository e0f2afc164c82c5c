import { ascii, type Bytes, concat, u8 } from '../../../models/media/bytes/byte-writer.ts';
import { type TiffField, writeDirectory } from '../../../models/media/image/tiff/directory.ts';

const ASCII = 2;
const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;
const HEAD = u8(0x49, 0x49, 42, 0, 8, 0, 0, 0);

export const short = (tag: number, value: number): TiffField => ({
  tag,
  type: SHORT,
  value: u8(value, value >> 8),
});
export const text = (tag: number, value: string): TiffField => ({
  tag,
  type: ASCII,
  value: ascii(`${value}\0`),
});
export const rational = (tag: number, numerator: number, denominator: number): TiffField => ({
  tag,
  type: RATIONAL,
  value: new Uint8Array(new Uint32Array([numerator, denominator]).buffer),
});
const long = (tag: number, value: number): TiffField => ({
  tag,
  type: LONG,
  value: new Uint8Array(new Uint32Array([value]).buffer),
});
export const pointer = (tag: number, directory: readonly TiffField[]): TiffField => ({
  tag,
  type: LONG,
  value: new Uint8Array(0),
  directory,
});

/** Makes an EXIF block whose second directory holds a thumbnail, at its end. */
export function createExif(fields: readonly TiffField[], thumbnail?: Bytes): Bytes {
  const mainBytes = writeDirectory(fields, 8, 0).length;
  if (!thumbnail) return concat([HEAD, writeDirectory(fields, 8, 0)]);
  const offset = 8 + mainBytes;
  const directory = (at: number) =>
    writeDirectory([long(0x0201, at), long(0x0202, thumbnail.length)], offset, 0);
  const samplesAt = offset + directory(0).length;
  return concat([HEAD, writeDirectory(fields, 8, offset), directory(samplesAt), thumbnail]);
}
