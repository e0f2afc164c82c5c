import { BitReader, withoutEmulationPrevention } from '../bytes/bit-reader.ts';
import { type PixelAspect, readUsabilityAspect } from './pixel-aspect.ts';

/** Profiles whose parameter sets describe chroma and scaling: ITU-T H.264, 7.3.2.1.1. */
const HIGH_PROFILES = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];
const SPS_TYPE = 7;
/** Offset of the first parameter set in an `avcC` box (ISO 14496-15, 5.3.3.1), behind its length. */
const SPS_AT = 8;
/** Pictures of the longest valid cycle of frame order counts. */
const CYCLE_MAX = 255;

/** Statements of the first sequence parameter set of an H.264 stream: ITU-T H.264, 7.4.2.1.1. */
export interface AvcParameters {
  /** Whether it may hold fields. Its frames may still be progressive. */
  readonly hasFields: boolean;
  /** Null where it states none. */
  readonly aspect: PixelAspect | null;
}

/** Reads the parameters of an H.264 stream. @param configuration body of an `avcC` box */
export function readAvcParameters(configuration: Uint8Array): AvcParameters {
  const unit = configuration.subarray(SPS_AT);
  if (((unit[0] ?? 0) & 0x1f) !== SPS_TYPE) return { hasFields: false, aspect: null };
  const profile = unit[1] ?? 0;
  const bits = new BitReader(withoutEmulationPrevention(unit.subarray(4)));
  bits.code();
  if (HIGH_PROFILES.includes(profile)) skipHighProfile(bits);
  bits.code();
  skipOrderCounts(bits);
  // Number of reference frames, whether there may be gaps, width and height.
  bits.code();
  bits.bit();
  bits.code();
  bits.code();
  if (bits.hasEnded) return { hasFields: false, aspect: null };
  const hasFields = bits.bit() === 0;
  // Whether its fields change within frames, and how motion is inferred.
  bits.skip(hasFields ? 2 : 1);
  // Margins that decoders cut off.
  if (bits.bit() === 1) for (let side = 0; side < 4; side++) bits.code();
  return { hasFields, aspect: bits.bit() === 1 ? readUsabilityAspect(bits) : null };
}

function skipHighProfile(bits: BitReader): void {
  const chroma = bits.code();
  if (chroma === 3) bits.bit();
  bits.code();
  bits.code();
  bits.bit();
  if (bits.bit() === 0) return;
  for (let list = 0; list < (chroma === 3 ? 12 : 8); list++) {
    if (bits.bit() === 1) skipScalingList(bits, list < 6 ? 16 : 64);
  }
}

/** Skips a scaling list: ITU-T H.264, 7.3.2.1.1.1. */
function skipScalingList(bits: BitReader, size: number): void {
  let scale = 8;
  for (let at = 0; at < size; at++) {
    const next = (scale + bits.signedCode() + 256) % 256;
    if (next === 0) return;
    scale = next;
  }
}

function skipOrderCounts(bits: BitReader): void {
  const type = bits.code();
  if (type === 0) bits.code();
  if (type !== 1) return;
  bits.bit();
  bits.code();
  bits.code();
  const pictures = Math.min(CYCLE_MAX, bits.code());
  for (let at = 0; at < pictures; at++) bits.code();
}
