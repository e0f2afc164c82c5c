import { formatWarning } from '../../../core/runtime/run-warnings.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { ONE_IMAGE } from '../format/file-parts.ts';
import type { ImageFileCode } from '../format/image-format.ts';
import { readImageResource } from '../iptc/image-resource.ts';
import { openTiffStream, readDirectory } from './directory.ts';
import { countTiffPages } from './pages.ts';
import { readTiffEncoding } from './read-encoding.ts';
import { readTiffMetadata } from './read-metadata.ts';
import { assertProbedSize, readTiffSize } from './read-size.ts';
import { simplifyTiff } from './simplify.ts';
import { writeTiffMetadata } from './write-metadata.ts';

const IPTC = 33723;
const PHOTOSHOP = 34377;
const TIFF_LONG = 4;

export const tiffFileCode: ImageFileCode = {
  readSize: readTiffSize,
  assertProbedSize,
  readContents: (file) => ({ ...ONE_IMAGE, count: countTiffPages(file), kind: 'pages' }),
  readMetadata: readTiffMetadata,
  isExifStream: true,
  readIptc,
  readEncoding: readTiffEncoding,
  /** Makes the file lead to its full pictures only. */
  complete(file) {
    const { bytes, beganReduced } = simplifyTiff(file);
    return { bytes, wasCompleted: false, warnings: beganReduced ? [formatWarning('reduced_copy')] : [] };
  },
  embedMetadata: writeTiffMetadata,
};

/** Reads field 33723, or Photoshop's resources. */
function readIptc(file: Bytes): Bytes | undefined {
  const stream = openTiffStream(file);
  const fields = stream ? readDirectory(stream, stream.firstOffset) : [];
  const fieldOf = (wanted: number) => fields.find(({ tag }) => tag === wanted);
  const own = fieldOf(IPTC);
  if (own?.value.length) {
    // Some writers call the bytes LONGs, in the order of the file: the reader has reversed those of a big-endian one.
    return own.type === TIFF_LONG && stream && !stream.isLittle ? reverseWords(own.value) : own.value;
  }
  const resources = fieldOf(PHOTOSHOP);
  return resources && readImageResource(resources.value);
}

function reverseWords(bytes: Bytes): Bytes {
  const copy = bytes.slice();
  for (let at = 0; at + 4 <= copy.length; at += 4) copy.subarray(at, at + 4).reverse();
  return copy;
}
