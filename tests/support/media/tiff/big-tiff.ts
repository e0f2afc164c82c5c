import { type Bytes, concat } from '../../../../models/media/bytes/byte-writer.ts';
import {
  openTiffStream,
  readDirectory,
  type TiffField,
} from '../../../../models/media/image/tiff/directory.ts';

const HEAD_BYTES = 16;
/** Bytes by which samples move: those that the header has more. */
const SHIFT = 8;
const LONG8 = 16;
const OFFSETS: ReadonlySet<number> = new Set([273, 324]);
const UNIT_BYTES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 7: 1, 16: 8 };
const TYPE_BYTES: Readonly<Record<number, number>> = { ...UNIT_BYTES, 5: 8 };

/**
 * Rewrites a little-endian TIFF of one page, whose samples stand before its directory, as BigTIFF.
 * @param sampleBytes of a sample, which is turned for big-endian order
 */
export function toBigTiff(file: Bytes, isLittle: boolean, sampleBytes: number): Bytes {
  const stream = openTiffStream(file);
  if (!stream) throw new Error('no TIFF');
  const samples = file.slice(SHIFT, stream.firstOffset);
  if (!isLittle) reverseUnits(samples, sampleBytes);
  const fields = readDirectory(stream, stream.firstOffset).map(widened);
  const directoryAt = HEAD_BYTES + samples.length;
  const head = new Uint8Array(HEAD_BYTES);
  head.fill(isLittle ? 0x49 : 0x4d, 0, 2);
  const view = new DataView(head.buffer);
  view.setUint16(2, 43, isLittle);
  view.setUint16(4, 8, isLittle);
  view.setBigUint64(8, BigInt(directoryAt), isLittle);
  return concat([head, samples, directoryOf(fields, directoryAt, isLittle)]);
}

function widened(field: TiffField): TiffField {
  if (!OFFSETS.has(field.tag)) return field;
  const offsets = new Uint32Array(field.value.buffer);
  const wide = BigUint64Array.from([...offsets], (offset) => BigInt(offset + SHIFT));
  return { tag: field.tag, type: LONG8, value: new Uint8Array(wide.buffer) };
}

function directoryOf(fields: readonly TiffField[], start: number, isLittle: boolean): Bytes {
  const directory = new Uint8Array(8 + fields.length * 20 + 8);
  const view = new DataView(directory.buffer);
  view.setBigUint64(0, BigInt(fields.length), isLittle);
  const tail: Bytes[] = [];
  let end = start + directory.length;
  fields.forEach(({ tag, type, value }, index) => {
    const at = 8 + index * 20;
    const stored = value.slice();
    if (!isLittle) reverseUnits(stored, UNIT_BYTES[type] ?? 1);
    view.setUint16(at, tag, isLittle);
    view.setUint16(at + 2, type, isLittle);
    view.setBigUint64(at + 4, BigInt(value.length / (TYPE_BYTES[type] ?? 1)), isLittle);
    if (stored.length <= 8) directory.set(stored, at + 12);
    else {
      view.setBigUint64(at + 12, BigInt(end), isLittle);
      tail.push(stored);
      end += stored.length;
    }
  });
  return concat([directory, ...tail]);
}

function reverseUnits(bytes: Bytes, unit: number): void {
  for (let at = 0; at + unit <= bytes.length; at += unit) bytes.subarray(at, at + unit).reverse();
}
