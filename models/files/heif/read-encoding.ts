import { type ColourEncoding, encodingOf } from '../../kernels/colour/colour-encoding.ts';
import type { Bytes } from '../bytes/byte-writer.ts';
import { readFourCc } from '../bytes/read-four-cc.ts';
import { findBox, readBoxes } from './read-boxes.ts';
import { readHeifMeta } from './read-meta.ts';

const NCLX_BYTES = 10;
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
          type === 'colr' && end - start >= NCLX_BYTES && readFourCc(view, start) === 'nclx',
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
