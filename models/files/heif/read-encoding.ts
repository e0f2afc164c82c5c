import { type ColourEncoding, encodingOf } from '../../kernels/colour/colour-encoding.ts';
import type { Bytes } from '../bytes/byte-writer.ts';
import { readFourCc } from '../bytes/read-four-cc.ts';
import { findBox, readBoxes } from './read-boxes.ts';
import { readHeifMeta } from './read-meta.ts';
import type { SequenceTrack } from './read-sequence.ts';

const NCLX = 'nclx';
const NCLX_BYTES = 10;
/** Types of `colr` boxes that hold an ICC profile, restricted or not: ISO 14496-12, 12.1.5. */
const PROFILE_TYPES: ReadonlySet<string> = new Set(['prof', 'rICC']);
const CODED_TYPES: ReadonlySet<string> = new Set(['av01', 'hvc1', 'avc1', 'j2k1', 'unci']);

/**
 * Reads the code points of the primary image: the `nclx` property (ISO 23008-12, 6.5.5) of its item, or of the first
 * coded one, as a grid may leave it to its tiles.
 * @returns null when there is none
 * @throws OperationError `bad_request` when the boxes are inconsistent
 */
export function readHeifEncoding(file: Bytes): ColourEncoding | null {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const metaBox = findBox(readBoxes(view, 0, file.length), 'meta');
  if (!metaBox) return null;
  const meta = readHeifMeta(view, metaBox);
  const firstCoded = [...meta.itemTypes].find(([, type]) => CODED_TYPES.has(type))?.[0];
  for (const id of [meta.primaryItemId, ...(firstCoded === undefined ? [] : [firstCoded])]) {
    const colour = meta
      .propertiesOf(id)
      .find(
        ({ type, start, end }) =>
          type === 'colr' && end - start >= NCLX_BYTES && readFourCc(view, start) === NCLX,
      );
    // The range of the samples is the decoder's concern: RGB has its full range.
    if (colour)
      return encodingOf({
        primaries: view.getUint16(colour.start + 4),
        transfer: view.getUint16(colour.start + 6),
      });
  }
  return null;
}

/** Colours that the track of a sequence states, by a profile or by code points: ISO 14496-12, 12.1.5. */
export interface TrackColours {
  readonly icc?: Bytes;
  readonly encoding?: ColourEncoding | null;
  /** Coefficients from YCbCr by their code (ITU-T H.273, table 4), and whether samples have the full range. */
  readonly samples?: { readonly matrix: number; readonly isFullRange: boolean };
}

export function readTrackColours({ colours }: Pick<SequenceTrack, 'colours'>): TrackColours {
  const bodyOf = (isWanted: (type: string) => boolean) =>
    colours.find((body) => body.length > 4 && isWanted(String.fromCharCode(...body.subarray(0, 4))));
  const profile = bodyOf((type) => PROFILE_TYPES.has(type));
  const coded = bodyOf((type) => type === NCLX);
  const view = coded && new DataView(coded.buffer, coded.byteOffset, coded.byteLength);
  const points = view && view.byteLength > NCLX_BYTES ? view : null;
  return {
    ...(profile && { icc: profile.slice(4) }),
    ...(points && {
      encoding: encodingOf({ primaries: points.getUint16(4), transfer: points.getUint16(6) }),
      samples: { matrix: points.getUint16(8), isFullRange: points.getUint8(10) >= 0x80 },
    }),
  };
}
