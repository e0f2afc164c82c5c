import type { ImageFormat } from '../../../core/runtime/image-codec.ts';
import { type Bytes, concat } from '../../bytes/byte-writer.ts';
import { startsWith } from '../../bytes/starts-with.ts';
import { DATASET_MARKER } from '../iptc/datasets.ts';
import { readImageResource } from '../iptc/image-resource.ts';
import { readJpegSegments } from '../jpeg/segments.ts';
import { APP13, PHOTOSHOP_HEAD } from '../jpeg/write-metadata.ts';
import { openTiffStream, readDirectory } from '../tiff/directory.ts';

const IPTC = 33723;
const PHOTOSHOP = 34377;
const TIFF_LONG = 4;

/**
 * Reads the IPTC-IIM datasets of a JPEG (APP13) or a TIFF (field 33723, or within Photoshop's resources).
 * @returns undefined where there are none
 */
export function readIptc(file: Bytes, format: ImageFormat): Bytes | undefined {
  const iptc = format === 'jpeg' ? readFromJpeg(file) : format === 'tiff' ? readFromTiff(file) : undefined;
  return iptc?.[0] === DATASET_MARKER ? iptc : undefined;
}

/** Resources beyond one segment continue in the next. */
function readFromJpeg(file: Bytes): Bytes | undefined {
  const bodies = readJpegSegments(file)
    .filter(({ marker, body }) => marker === APP13 && startsWith(body, PHOTOSHOP_HEAD))
    .map(({ body }) => body.subarray(PHOTOSHOP_HEAD.length));
  return bodies.length ? readImageResource(concat(bodies)) : undefined;
}

function readFromTiff(file: Bytes): Bytes | undefined {
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
