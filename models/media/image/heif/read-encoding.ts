import {
  type CodePoints,
  type ColourEncoding,
  getEncoding,
} from '../../../kernels/colour/colour-encoding.ts';
import { BitReader } from '../../bytes/bit-reader.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { readFourCc } from '../../bytes/text.ts';
import { readHevcUsability } from '../../parameter-sets/hevc.ts';
import { openHeifMeta, readItemData } from './read-meta.ts';
import type { SequenceTrack } from './read-sequence.ts';

/** Type of the unit that holds a sequence header: AV1, 6.2.2. */
const SEQUENCE_HEADER = 1;

const UNITS_MAX = 16;

const LENGTH_BYTES_MAX = 8;

/** Levels above this one have a tier: AV1, 5.5.1. */
const TIER_FROM = 7;

const ZEROS_MAX = 31;

const NCLX = 'nclx';

const NCLX_BYTES = 10;

/** Position of the bitstream units in an `av1C` box: AV1 in ISO media, 2.3.3. */
const AV1_UNITS_AT = 4;

/** Types of `colr` boxes that hold an ICC profile, restricted or not: ISO 14496-12, 12.1.5. */
const PROFILE_TYPES: ReadonlySet<string> = new Set(['prof', 'rICC']);

const CODED_TYPES: ReadonlySet<string> = new Set(['av01', 'hvc1', 'avc1', 'j2k1', 'unci']);

/**
 * Reads the code points of the primary image: the `nclx` property (ISO 23008-12, 6.5.5) of its item, or of the first
 * coded one, as a grid may leave it to its tiles; or else those that the coded samples state themselves.
 * @returns null when there are none
 * @throws OperationError `bad_request` when the boxes are inconsistent
 */
export function readHeifEncoding(file: Bytes): ColourEncoding | null {
  const meta = openHeifMeta(file);
  if (!meta) return null;
  const { view } = meta;
  const isCoded = (id: number) => CODED_TYPES.has(meta.itemTypes.get(id) ?? '');
  const ids = [meta.primaryItemId, ...[...meta.itemTypes.keys()].filter(isCoded).slice(0, 1)];
  for (const id of ids) {
    const colour = meta
      .propertiesOf(id)
      .find(
        ({ type, start, end }) =>
          type === 'colr' && end - start >= NCLX_BYTES && readFourCc(view, start) === NCLX,
      );
    // The range of the samples is the decoder's concern: RGB has its full range.
    const points = colour && {
      primaries: view.getUint16(colour.start + 4),
      transfer: view.getUint16(colour.start + 6),
    };
    const encoding = points && getEncoding(points);
    if (encoding) return encoding;
  }
  const [coded] = ids.filter(isCoded);
  if (coded === undefined) return null;
  const properties = meta.propertiesOf(coded);
  const bodies = properties.map(({ type, start, end }) => [type, file.subarray(start, end)] as const);
  return codedEncoding(new Map(bodies), () => readItemData(file, meta.box, coded));
}

/**
 * Reads the code points that coded samples state themselves.
 * @param properties bodies of the boxes that set their decoder up, by type
 * @param samples returns the samples, which may begin with what those boxes lack
 */
function codedEncoding(
  properties: ReadonlyMap<string, Uint8Array>,
  samples: () => Uint8Array | undefined,
): ColourEncoding | null {
  const [av1, hevc] = [properties.get('av1C'), properties.get('hvcC')];
  const points = av1
    ? (readAv1Colours(av1.subarray(AV1_UNITS_AT)) ?? readAv1Colours(samples() ?? new Uint8Array(0)))
    : hevc && readHevcUsability(hevc).colours;
  return points ? getEncoding(points) : null;
}

/** Colours that the track of a sequence states, by a profile or by code points: ISO 14496-12, 12.1.5. */
export interface TrackColours {
  readonly icc?: Bytes;
  readonly encoding?: ColourEncoding | null;
  /** Coefficients from YCbCr by their code (ITU-T H.273, table 4), and whether samples have the full range. */
  readonly samples?: { readonly matrix: number; readonly isFullRange: boolean };
}

export function readTrackColours({
  colours,
  properties,
  samples,
}: Pick<SequenceTrack, 'colours' | 'properties' | 'samples'>): TrackColours {
  const getBody = (isWanted: (type: string) => boolean) =>
    colours.find((body) => body.length > 4 && isWanted(String.fromCharCode(...body.subarray(0, 4))));
  const profile = getBody((type) => PROFILE_TYPES.has(type));
  const coded = getBody((type) => type === NCLX);
  const view = coded && new DataView(coded.buffer, coded.byteOffset, coded.byteLength);
  const points = view && view.byteLength > NCLX_BYTES ? view : null;
  const stated = points && getEncoding({ primaries: points.getUint16(4), transfer: points.getUint16(6) });
  return {
    ...(profile && { icc: profile.slice(4) }),
    encoding: stated ?? codedEncoding(properties, () => samples[0]?.data),
    ...(points && {
      samples: { matrix: points.getUint16(8), isFullRange: points.getUint8(10) >= 0x80 },
    }),
  };
}

/**
 * Reads the code points that AV1 states itself, where its container states none: AV1, 5.5.2.
 * @param units open bitstream units (5.3)
 * @returns null when they hold no sequence header, or one that states none
 */
function readAv1Colours(units: Uint8Array): CodePoints | null {
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
  const hasHighBitDepth = bits.bit() === 1;
  if (profile === 2 && hasHighBitDepth) bits.skip(1);
  // Whether there is only lightness.
  if (profile !== 1) bits.skip(1);
  if (bits.bit() === 0) return null;
  const [primaries, transfer] = [bits.bits(8), bits.bits(8)];
  return bits.hasEnded ? null : { primaries, transfer };
}
