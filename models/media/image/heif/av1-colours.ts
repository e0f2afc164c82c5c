import type { CodePoints } from '../../../kernels/colour/colour-encoding.ts';
import { BitReader } from '../../bytes/bit-reader.ts';

/** Type of the unit that holds a sequence header: AV1, 6.2.2. */
const SEQUENCE_HEADER = 1;
const UNITS_MAX = 16;
const LENGTH_BYTES_MAX = 8;
/** Levels above this one have a tier: AV1, 5.5.1. */
const TIER_FROM = 7;
const ZEROS_MAX = 31;

/**
 * Reads the code points that AV1 states itself, where its container states none: AV1, 5.5.2.
 * @param units open bitstream units (5.3)
 * @returns null when they hold no sequence header, or one that states none
 */
export function readAv1Colours(units: Uint8Array): CodePoints | null {
  for (let at = 0, count = 0; at < units.length && count < UNITS_MAX; count++) {
    const head = units[at] ?? 0;
    const hasExtension = (head & 4) !== 0;
    const sizeAt = at + (hasExtension ? 2 : 1);
    const size = head & 2 ? readLength(units, sizeAt) : { value: units.length - sizeAt, bytes: 0 };
    const start = sizeAt + size.bytes;
    if (((head >> 3) & 15) === SEQUENCE_HEADER)
      return readSequenceHeader(new BitReader(units.subarray(start, start + size.value)));
    at = start + size.value;
  }
  return null;
}

/** Reads a length in groups of 7 bits, the least significant first: AV1, 4.10.5. */
function readLength(units: Uint8Array, start: number): { readonly value: number; readonly bytes: number } {
  let value = 0;
  for (let place = 0; place < LENGTH_BYTES_MAX; place++) {
    const byte = units[start + place] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * place);
    if (byte < 0x80) return { value, bytes: place + 1 };
  }
  return { value, bytes: LENGTH_BYTES_MAX };
}

function readSequenceHeader(bits: BitReader): CodePoints | null {
  const profile = bits.bits(3);
  bits.skip(1);
  const isReduced = bits.bit() === 1;
  if (isReduced) bits.skip(5);
  else skipOperatingPoints(bits);
  const [widthBits, heightBits] = [bits.bits(4) + 1, bits.bits(4) + 1];
  bits.skip(widthBits + heightBits);
  // Whether frames have numbers, and the lengths of these.
  if (!isReduced && bits.bit() === 1) bits.skip(7);
  bits.skip(3);
  if (!isReduced) skipTools(bits);
  bits.skip(3);
  return readColourConfiguration(bits, profile);
}

function skipOperatingPoints(bits: BitReader): void {
  let delayBits = 0;
  if (bits.bit() === 1) {
    bits.skip(64);
    if (bits.bit() === 1) skipVariableLength(bits);
    if (bits.bit() === 1) {
      delayBits = bits.bits(5) + 1;
      bits.skip(42);
    }
  }
  const hasDisplayDelays = bits.bit() === 1;
  for (let left = bits.bits(5) + 1; left > 0; left--) {
    bits.skip(12);
    if (bits.bits(5) > TIER_FROM) bits.skip(1);
    if (delayBits > 0 && bits.bit() === 1) bits.skip(2 * delayBits + 1);
    if (hasDisplayDelays && bits.bit() === 1) bits.skip(4);
  }
}

/** Skips a number of variable length: AV1, 4.10.3. */
function skipVariableLength(bits: BitReader): void {
  let zeros = 0;
  while (zeros < ZEROS_MAX && !bits.hasEnded && bits.bit() === 0) zeros += 1;
  bits.skip(zeros);
}

/** Skips which tools frames may use: AV1, 5.5.1, from enable_interintra_compound on. */
function skipTools(bits: BitReader): void {
  bits.skip(4);
  const hasOrder = bits.bit() === 1;
  if (hasOrder) bits.skip(2);
  const isScreenChosen = bits.bit() === 1;
  const isScreen = isScreenChosen || bits.bit() === 1;
  if (isScreen && bits.bit() === 0) bits.skip(1);
  if (hasOrder) bits.skip(3);
}

function readColourConfiguration(bits: BitReader, profile: number): CodePoints | null {
  const isDeep = bits.bit() === 1;
  if (profile === 2 && isDeep) bits.skip(1);
  // Whether there is only lightness.
  if (profile !== 1) bits.skip(1);
  if (bits.bit() === 0) return null;
  const [primaries, transfer] = [bits.bits(8), bits.bits(8)];
  return bits.hasEnded ? null : { primaries, transfer };
}
