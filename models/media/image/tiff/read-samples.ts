import type { Bytes } from '../../bytes/byte-writer.ts';
import { SAMPLE_FORMAT, type TiffPage } from './page-layout.ts';

const HORIZONTAL = 2;
const FLOATING_POINT = 3;

/**
 * Reads a row of a strip or tile as numbers: integers as they are, floating-point numbers too.
 * @param bytes the row, which a predictor changes
 * @param into room for its samples
 */
export function readSampleRow(
  bytes: Bytes,
  page: Pick<TiffPage, 'bits' | 'sampleFormat' | 'predictor' | 'isLittle'>,
  channels: number,
  into: Float64Array,
): void {
  const { bits, sampleFormat, predictor } = page;
  if (![8, 16, 24, 32, 64].includes(bits)) {
    readBits(bytes, bits, into);
    return;
  }
  const sampleBytes = bits / 8;
  const isSplit = predictor === FLOATING_POINT;
  const row = isSplit ? joinFloatBytes(bytes, sampleBytes, channels) : bytes;
  const isLittle = page.isLittle && !isSplit;
  if (predictor === HORIZONTAL) addPrevious(row, sampleBytes, channels, isLittle);
  const isFloat = sampleFormat === SAMPLE_FORMAT.float;
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength);
  for (let at = 0; at < into.length; at++) into[at] = readAt(view, at * sampleBytes, bits, isFloat, isLittle);
}

/** Reverses horizontal differencing of whole words, whatever they mean: TIFF 6.0, section 14. */
function addPrevious(row: Bytes, sampleBytes: number, channels: number, isLittle: boolean): void {
  const step = channels * sampleBytes;
  for (let start = step; start < row.length; start += sampleBytes) {
    let carry = 0;
    for (let byte = 0; byte < sampleBytes; byte++) {
      const at = start + (isLittle ? byte : sampleBytes - 1 - byte);
      const sum = row[at] + row[at - step] + carry;
      row[at] = sum;
      carry = sum >> 8;
    }
  }
}

function readAt(view: DataView, at: number, bits: number, isFloat: boolean, isLittle: boolean): number {
  if (bits === 8) return view.getUint8(at);
  if (bits === 16) return isFloat ? halfFloat(view.getUint16(at, isLittle)) : view.getUint16(at, isLittle);
  if (bits === 24) {
    const [high, low] = isLittle ? [at + 1, at] : [at, at + 2];
    return view.getUint16(high, isLittle) * 256 + view.getUint8(low);
  }
  if (bits === 64) return view.getFloat64(at, isLittle);
  return isFloat ? view.getFloat32(at, isLittle) : view.getUint32(at, isLittle);
}

/** Reads samples of any number of bits, most significant first: TIFF 6.0, section 4. */
function readBits(row: Bytes, bits: number, into: Float64Array): void {
  let at = 0;
  for (let index = 0; index < into.length; index++) {
    let sample = 0;
    for (let left = bits; left > 0; left--, at++) {
      sample = sample * 2 + (((row[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    }
    into[index] = sample;
  }
}

/** IEEE 754, binary16. */
function halfFloat(word: number): number {
  const sign = word & 0x8000 ? -1 : 1;
  const exponent = (word >> 10) & 31;
  const fraction = word & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
}

/** Reverses the predictor for floating-point numbers, to big-endian order: Adobe's TIFF technical note 3. */
function joinFloatBytes(bytes: Bytes, sampleBytes: number, channels: number): Bytes {
  for (let at = channels; at < bytes.length; at++) bytes[at] = bytes[at] + bytes[at - channels];
  const samples = bytes.length / sampleBytes;
  const joined = new Uint8Array(bytes.length);
  for (let sample = 0; sample < samples; sample++) {
    for (let byte = 0; byte < sampleBytes; byte++) {
      joined[sample * sampleBytes + byte] = bytes[byte * samples + sample];
    }
  }
  return joined;
}
