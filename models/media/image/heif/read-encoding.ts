import { type ColourEncoding, encodingOf } from '../../../kernels/colour/colour-encoding.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { readFourCc } from '../../bytes/read-four-cc.ts';
import { readAv1Colours } from './av1-colours.ts';
import { readHevcColours } from './hevc-colours.ts';
import { findBox, readBoxes } from './read-boxes.ts';
import { readHeifMeta, readItemData } from './read-meta.ts';
import type { SequenceTrack } from './read-sequence.ts';

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
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const metaBox = findBox(readBoxes(view, 0, file.length), 'meta');
  if (!metaBox) return null;
  const meta = readHeifMeta(view, metaBox);
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
    const encoding = points && encodingOf(points);
    if (encoding) return encoding;
  }
  const [coded] = ids.filter(isCoded);
  if (coded === undefined) return null;
  const properties = meta.propertiesOf(coded);
  const bodies = properties.map(({ type, start, end }) => [type, file.subarray(start, end)] as const);
  return codedEncoding(new Map(bodies), () => readItemData(file, metaBox, coded));
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
    : hevc && readHevcColours(hevc);
  return points ? encodingOf(points) : null;
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
  const bodyOf = (isWanted: (type: string) => boolean) =>
    colours.find((body) => body.length > 4 && isWanted(String.fromCharCode(...body.subarray(0, 4))));
  const profile = bodyOf((type) => PROFILE_TYPES.has(type));
  const coded = bodyOf((type) => type === NCLX);
  const view = coded && new DataView(coded.buffer, coded.byteOffset, coded.byteLength);
  const points = view && view.byteLength > NCLX_BYTES ? view : null;
  const stated = points && encodingOf({ primaries: points.getUint16(4), transfer: points.getUint16(6) });
  return {
    ...(profile && { icc: profile.slice(4) }),
    encoding: stated ?? codedEncoding(properties, () => samples[0]?.data),
    ...(points && {
      samples: { matrix: points.getUint16(8), isFullRange: points.getUint8(10) >= 0x80 },
    }),
  };
}
