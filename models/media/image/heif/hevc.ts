import { withoutEmulationPrevention } from '../../bytes/bit-reader.ts';
import { box, concat, u8, u16, u32 } from '../../bytes/byte-writer.ts';
import type { CodedTile } from './assemble-still.ts';

const VPS = 32;
const SPS = 33;
const PPS = 34;
/** NAL unit types below this one hold slices: ITU-T H.265, table 7-1. */
const SLICE_TYPES_END = 32;

/**
 * Splits an Annex B byte stream (ITU-T H.265) into decoder configuration and slices.
 * @param chromaFormat 1 for 4:2:0, 0 for monochrome; samples have 8 bits
 * @returns the `hvcC` box (ISO 14496-15, 8.3.2), and the slices, each prefixed with its length in 4 bytes
 * @throws RangeError when a parameter set or the slice is missing
 */
export function splitHevcStill(stream: Uint8Array, chromaFormat: 0 | 1): CodedTile {
  const units = nalUnits(stream);
  const sets = [VPS, SPS, PPS].map((type) => units.filter((unit) => nalType(unit) === type));
  const slices = units.filter((unit) => nalType(unit) < SLICE_TYPES_END);
  const sps = sets[1]?.[0];
  if (!sps || !slices.length || sets.some((set) => !set.length))
    throw new RangeError('not a complete HEVC image');
  const arrays = sets.flatMap((set, index) => [
    u8(0x80 | (VPS + index)),
    u16(set.length),
    ...set.flatMap((unit) => [u16(unit.length), unit]),
  ]);
  const configuration = box(
    'hvcC',
    u8(1),
    // general_profile_space to general_level_idc have the same layout in the SPS: H.265, 7.3.2.2 and 7.3.3.
    withoutEmulationPrevention(sps.subarray(0, 32)).subarray(3, 15),
    u16(0xf000), // min_spatial_segmentation_idc
    u8(0xfc, 0xfc | chromaFormat, 0xf8, 0xf8), // parallelism, chroma format, bit depths less 8
    u16(0),
    u8(0b0000_1111, sets.length), // one nested temporal layer, lengths of 4 bytes
    ...arrays,
  );
  return { configuration, data: concat(slices.flatMap((slice) => [u32(slice.length), slice])) };
}

function nalType(unit: Uint8Array): number {
  return ((unit[0] ?? 0) >> 1) & 0x3f;
}

/** Iterates over the units between start codes 00 00 01; zeros before a start code belong to none. */
function nalUnits(stream: Uint8Array): Uint8Array[] {
  const starts: number[] = [];
  for (let at = stream.indexOf(1); at >= 0; at = stream.indexOf(1, at + 1)) {
    if (at >= 2 && stream[at - 1] === 0 && stream[at - 2] === 0) starts.push(at + 1);
  }
  return starts.map((start, index) => {
    let end = (starts[index + 1] ?? stream.length + 3) - 3;
    while (end > start && stream[end - 1] === 0) end--;
    return stream.subarray(start, end);
  });
}
