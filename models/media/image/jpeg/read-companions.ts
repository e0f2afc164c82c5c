import type { ImageSize } from '../../../core/runtime/raster.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { startsWith } from '../../bytes/starts-with.ts';
import { openTiffStream, readDirectory } from '../tiff/directory.ts';
import { isStartOfFrame } from './read-size.ts';
import { type JpegSegment, readJpegSegments } from './segments.ts';

const APP1 = 0xe1;
const APP2 = 0xe2;
const MPF_HEAD = 'MPF\0';
const MP_ENTRY = 0xb002;
const ENTRY_BYTES = 16;
/** Types of images: CIPA DC-007, 5.2.3.3.1. Those of a sequence or of several views begin with 2. */
const TYPE_MASK = 0xffffff;
const UNDEFINED_TYPE = 0;
const LARGE_THUMBNAILS = 0x01;
const IMAGES_MAX = 1000;
/** Identifier of ISO 21496-1, and the namespaces of Adobe's and Apple's gain maps. */
const ISO_GAIN_MAP = 'urn:iso:std:iso:ts:21496:-1\0';
const XMP_GAIN_MAPS = /hdr-gain-map\/1\.0|hdrgainmap/i;

/** Images that follow the first one in a JPEG file: CIPA DC-007, Multi-Picture Format. */
export interface JpegCompanions {
  /** Pictures besides the first one, without reduced copies, gain maps and the like. */
  readonly pictures: number;
  /** Whether a gain map tells how to show the picture in high dynamic range. */
  readonly hasGainMap: boolean;
}

/** Reads which images follow the first one. Damaged indexes name none. */
export function readJpegCompanions(file: Bytes): JpegCompanions {
  const segments = readJpegSegments(file);
  const others = readIndex(file, segments);
  const maps = others.map(({ image }) => namesGainMap(readJpegSegments(image)));
  const size = readSize(segments);
  const pictures = others.filter(({ type, image }, place) => !maps[place] && isPicture(type, image, size));
  return { pictures: pictures.length, hasGainMap: namesGainMap(segments) || maps.includes(true) };
}

interface Companion {
  readonly type: number;
  readonly image: Bytes;
}

function readIndex(file: Bytes, segments: readonly JpegSegment[]): Companion[] {
  const segment = segments.find(({ marker, body }) => marker === APP2 && startsWith(body, MPF_HEAD));
  const index = segment?.body.subarray(MPF_HEAD.length);
  const stream = index && openTiffStream(index);
  const entries =
    stream && readDirectory(stream, stream.firstOffset).find(({ tag }) => tag === MP_ENTRY)?.value;
  if (!(index && stream && entries)) return [];
  const base = index.byteOffset - file.byteOffset;
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
  const count = Math.min(IMAGES_MAX, Math.floor(entries.length / ENTRY_BYTES));
  const companions = Array.from({ length: count }, (_, place) => {
    const [type, size, offset] = [0, 4, 8].map((at) =>
      view.getUint32(place * ENTRY_BYTES + at, stream.isLittle),
    );
    const start = base + (offset ?? 0);
    return { type: (type ?? 0) & TYPE_MASK, image: file.subarray(start, start + (size ?? 0)) };
  }).filter(({ image }, place) => place > 0 && image[0] === 0xff && image[1] === 0xd8);
  // Images do not overlap: an index that names the same bytes again and again would have them read as often.
  const bytes = companions.reduce((sum, { image }) => sum + image.length, 0);
  return bytes > file.length ? [] : companions;
}

function namesGainMap(segments: readonly JpegSegment[]): boolean {
  return segments.some(
    ({ marker, body }) =>
      (marker === APP2 && startsWith(body, ISO_GAIN_MAP)) ||
      (marker === APP1 && startsWith(body, 'http:') && XMP_GAIN_MAPS.test(new TextDecoder().decode(body))),
  );
}

/** An image of no stated type may be a preview or a map of depths: a picture is as large as the first one. */
function isPicture(type: number, image: Bytes, first: ImageSize | null): boolean {
  if (type >> 16 === LARGE_THUMBNAILS) return false;
  if (type !== UNDEFINED_TYPE) return true;
  const size = readSize(readJpegSegments(image));
  return size !== null && size.width === first?.width && size.height === first.height;
}

function readSize(segments: readonly JpegSegment[]): ImageSize | null {
  const body = segments.find(({ marker }) => isStartOfFrame(marker))?.body;
  if (!body || body.length < 5) return null;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  return { width: view.getUint16(3), height: view.getUint16(1) };
}
