import type { CodePoints } from '../../kernels/colour/colour-encoding.ts';
import { BitReader, withoutEmulationPrevention } from '../bytes/bit-reader.ts';
import { type PixelAspect, readUsabilityAspect } from './pixel-aspect.ts';

const SPS = 33;
/** Position of the number of arrays of units in an `hvcC` box: ISO 14496-15, 8.3.2.1.2. */
const ARRAYS_AT = 22;
const ARRAYS_MAX = 16;
/** Length of a unit's header, and of the profile and level that every parameter set states. */
const HEAD_BITS = 16;
const PROFILE_BITS = 88;
const LEVEL_BITS = 8;
const SUBLAYERS_MAX = 8;
const REFERENCE_SETS_MAX = 64;
const PICTURES_MAX = 32;

/** Statements of an HEVC stream itself, where its container states nothing: ITU-T H.265, E.2.1. Null for what it leaves open. */
export interface HevcUsability {
  readonly aspect: PixelAspect | null;
  readonly colours: CodePoints | null;
}

/** Reads the usability information of an HEVC stream. @param configuration body of an `hvcC` box */
export function readHevcUsability(configuration: Uint8Array): HevcUsability {
  const none = { aspect: null, colours: null };
  const unit = findParameterSet(configuration);
  if (!unit) return none;
  const bits = new BitReader(withoutEmulationPrevention(unit));
  bits.skip(HEAD_BITS);
  const orderBits = skipPicture(bits);
  skipReferences(bits, orderBits);
  // Motion from other pictures, and smoothing.
  bits.skip(2);
  if (bits.bit() === 0) return none;
  const aspect = readUsabilityAspect(bits);
  return bits.hasEnded ? none : { aspect, colours: readColours(bits) };
}

function findParameterSet(configuration: Uint8Array): Uint8Array | null {
  const { buffer, byteOffset, byteLength } = configuration;
  const view = new DataView(buffer, byteOffset, byteLength);
  let at = ARRAYS_AT + 1;
  for (let left = Math.min(ARRAYS_MAX, configuration[ARRAYS_AT] ?? 0); left > 0; left--) {
    if (at + 3 > byteLength) return null;
    const type = view.getUint8(at) & 0x3f;
    const count = view.getUint16(at + 1);
    at += 3;
    for (let unit = 0; unit < count; unit++) {
      if (at + 2 > byteLength) return null;
      const end = at + 2 + view.getUint16(at);
      if (type === SPS) return configuration.subarray(at + 2, end);
      at = end;
    }
  }
  return null;
}

/**
 * Skips what a sequence parameter set says of the picture: ITU-T H.265, 7.3.2.2.1, up to the reference sets.
 * @returns the length of a picture's place in the order, in bits
 */
function skipPicture(bits: BitReader): number {
  bits.skip(4);
  const sublayers = bits.bits(3);
  bits.skip(1);
  skipProfiles(bits, sublayers);
  bits.code();
  if (bits.code() === 3) bits.skip(1);
  skipCodes(bits, 2);
  if (bits.bit() === 1) skipCodes(bits, 4);
  skipCodes(bits, 2);
  const orderBits = bits.code() + 4;
  const described = bits.bit() === 1 ? sublayers + 1 : 1;
  skipCodes(bits, 3 * described + 6);
  if (bits.bit() === 1 && bits.bit() === 1) skipScalingLists(bits);
  bits.skip(2);
  if (bits.bit() === 1) {
    bits.skip(8);
    skipCodes(bits, 2);
    bits.skip(1);
  }
  return orderBits;
}

/** Skips profiles, tiers and levels: ITU-T H.265, 7.3.3. @param sublayers number of those after the first */
function skipProfiles(bits: BitReader, sublayers: number): void {
  bits.skip(PROFILE_BITS + LEVEL_BITS);
  if (sublayers === 0) return;
  const stated = Array.from({ length: SUBLAYERS_MAX }, () => [bits.bit(), bits.bit()] as const);
  for (const [profile, level] of stated.slice(0, sublayers))
    bits.skip(profile * PROFILE_BITS + level * LEVEL_BITS);
}

/** Skips scaling lists: ITU-T H.265, 7.3.4. */
function skipScalingLists(bits: BitReader): void {
  for (let size = 0; size < 4; size++) {
    for (let list = 0; list < (size === 3 ? 2 : 6); list++) {
      if (bits.bit() === 0) bits.code();
      else skipCodes(bits, Math.min(64, 16 << (2 * size)) + (size > 1 ? 1 : 0));
    }
  }
}

/** Skips the sets of reference pictures: ITU-T H.265, 7.3.7 and 7.3.2.2.1. */
function skipReferences(bits: BitReader, orderBits: number): void {
  let before = 0;
  const sets = Math.min(REFERENCE_SETS_MAX, bits.code());
  for (let set = 0; set < sets; set++) {
    if (set > 0 && bits.bit() === 1) {
      bits.skip(1);
      bits.code();
      let kept = 0;
      for (let picture = 0; picture <= before; picture++) if (bits.bit() === 1 || bits.bit() === 1) kept++;
      before = kept;
    } else {
      before = Math.min(PICTURES_MAX, bits.code() + bits.code());
      for (let picture = 0; picture < before; picture++) {
        bits.code();
        bits.skip(1);
      }
    }
  }
  if (bits.bit() === 1) bits.skip(Math.min(PICTURES_MAX, bits.code()) * (orderBits + 1));
}

/** Reads the code points behind the aspect: ITU-T H.265, E.2.1. */
function readColours(bits: BitReader): CodePoints | null {
  if (bits.bit() === 1) bits.skip(1);
  if (bits.bit() === 0) return null;
  bits.skip(4);
  if (bits.bit() === 0) return null;
  const [primaries, transfer] = [bits.bits(8), bits.bits(8)];
  return bits.hasEnded ? null : { primaries, transfer };
}

function skipCodes(bits: BitReader, count: number): void {
  for (let at = 0; at < count; at++) bits.code();
}
