import { BitReader, withoutEmulationPrevention } from '../bytes/bit-reader.ts';

/** Profiles whose parameter sets describe chroma and scaling: ITU-T H.264, 7.3.2.1.1. */
const HIGH_PROFILES = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];
const SPS_TYPE = 7;
/** Offset of the first parameter set in an `avcC` box (ISO 14496-15, 5.3.3.1), behind its length. */
const SPS_AT = 8;
/** Pictures of the longest valid cycle of frame order counts. */
const CYCLE_MAX = 255;

/**
 * Reports whether an H.264 stream may hold fields: `frame_mbs_only_flag` of its first sequence parameter set is 0
 * (ITU-T H.264, 7.4.2.1.1). Frames of such a stream may still be progressive.
 * @param configuration body of an `avcC` box
 */
export function hasAvcFields(configuration: Uint8Array): boolean {
  const unit = configuration.subarray(SPS_AT);
  if (((unit[0] ?? 0) & 0x1f) !== SPS_TYPE) return false;
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
  return !bits.hasEnded && bits.bit() === 0;
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
