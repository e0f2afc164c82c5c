import type { PrintResolution } from '../../../core/runtime/image-codec.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import { type Bytes, concat, u8 } from '../../bytes/byte-writer.ts';
import { CENTIMETRES_PER_INCH, isPlausibleResolution } from '../../bytes/print-units.ts';
import { startsWith } from '../../bytes/text.ts';
import { completedFile, type ImageFileCode, withoutMarker } from '../image-format.ts';
import { readImageResource } from '../iptc.ts';
import { getTiffStream } from '../metadata/exif.ts';
import { openTiffStream, readDirectory } from '../tiff/directory.ts';
import { readExifEncoding } from '../tiff/read-exif-encoding.ts';
import {
  findFrameHeader,
  HEAD,
  isCmykJpeg,
  isGreyJpeg,
  type JpegSegment,
  MARKER,
  readJpegMetadata,
  readJpegSegments,
  readJpegSize,
} from './segments.ts';
import { writeJpegMetadata } from './write-metadata.ts';

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
interface JpegCompanions {
  /** Pictures besides the first one, without reduced copies, gain maps and the like. */
  readonly pictures: number;
  /** Whether a gain map tells how to show the picture in high dynamic range. */
  readonly hasGainMap: boolean;
}

interface Companion {
  readonly type: number;
  readonly image: Bytes;
}

const JFIF_INCH = 1;

const JFIF_CENTIMETRE = 2;

/** Bytes that nearly always hold the segments before the first scan. */
const HEAD_BYTES = 131_072;

async function readHead(file: Blob): Promise<Bytes> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const last = readJpegSegments(head).at(-1);
  return last && last.end < head.length ? head : new Uint8Array(await file.arrayBuffer());
}

export const jpegFileCode: ImageFileCode = {
  readSize: readJpegSize,
  readContents(file) {
    const { pictures, hasGainMap } = readJpegCompanions(file);
    return { count: 1 + pictures, kind: 'images', hasGainMap };
  },
  readHead,
  readMetadata: readJpegMetadata,
  readIptc,
  readResolution: readJfif,
  readEncoding(file, exif) {
    // EXIF knows no inks: its statement describes the image before it was separated.
    return exif && !isCmykJpeg(file) ? readExifEncoding(getTiffStream(exif)) : null;
  },
  isGrey: isGreyJpeg,
  complete: (file) => completedFile(lacksJpegEnd(file) ? closeJpeg(file) : null, 'its end marker'),
  findMissingEnd: (file) => withoutMarker(file, '\xff\xd9'),
  embedMetadata: writeJpegMetadata,
  replaceProfile: (file, icc) => concat(writeJpegMetadata(file, icc ? { icc } : {})),
};

/** Reads APP13. Resources beyond one segment continue in the next. */
function readIptc(file: Bytes): Bytes | undefined {
  const bodies = readJpegSegments(file)
    .filter(({ marker, body }) => marker === MARKER.app13 && startsWith(body, HEAD.photoshop))
    .map(({ body }) => body.subarray(HEAD.photoshop.length));
  return bodies.length ? readImageResource(concat(bodies)) : undefined;
}

/** Reads the density of JFIF 1.02: of its units 1 is an inch and 2 a centimetre. */
function readJfif(file: Bytes): PrintResolution | undefined {
  const body = readJpegSegments(file).find(
    (segment) => segment.marker === MARKER.app0 && startsWith(segment.body, HEAD.jfif),
  )?.body;
  if (!body || body.length < 12) return undefined;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const unit = view.getUint8(7);
  const scale = unit === JFIF_CENTIMETRE ? CENTIMETRES_PER_INCH : 1;
  const resolution = { x: view.getUint16(8) * scale, y: view.getUint16(10) * scale };
  const isStated = unit === JFIF_INCH || unit === JFIF_CENTIMETRE;
  return isStated && isPlausibleResolution(resolution) ? resolution : undefined;
}

/** Adds the end marker, half of which may be there. */
function closeJpeg(bytes: Bytes): Bytes {
  return concat([bytes.at(-1) === 0xff ? bytes.subarray(0, -1) : bytes, u8(0xff, 0xd9)]);
}

/**
 * Reports whether a JPEG ends within the coded samples of a scan, without its end marker (ITU-T T.81, B.1.1). Whether
 * samples are missing as well, only decoding shows.
 */
function lacksJpegEnd(file: Bytes): boolean {
  let at = 2;
  let isInScan = false;
  for (;;) {
    const marker = isInScan ? nextMarker(file, at) : at;
    if (marker + 1 >= file.length || file[marker] !== 0xff) return isInScan;
    const kind: number = file[marker + 1];
    if (kind === MARKER.endOfImage) return false;
    if (kind === 0xff) {
      at = marker + 1;
      continue;
    }
    const end = marker + 2 + (((file[marker + 2] ?? 0) << 8) | (file[marker + 3] ?? 0));
    if (end < marker + 4 || end > file.length) return false;
    isInScan = kind === MARKER.startOfScan;
    at = end;
  }
}

/** Finds the next marker in coded samples: not a stuffed zero, and no restart (B.1.1.5). */
function nextMarker(file: Bytes, from: number): number {
  let at = file.indexOf(0xff, from);
  while (at >= 0 && at + 1 < file.length) {
    const kind = file[at + 1];
    if (kind !== 0 && kind !== 0xff && (kind < 0xd0 || kind > 0xd7)) return at;
    at = file.indexOf(0xff, kind === 0xff ? at + 1 : at + 2);
  }
  return file.length;
}

/** Reads which images follow the first one. Damaged indexes name none. */
function readJpegCompanions(file: Bytes): JpegCompanions {
  const segments = readJpegSegments(file);
  const others = readIndex(file, segments);
  const maps = others.map(({ image }) => namesGainMap(readJpegSegments(image)));
  const size = findFrameHeader(segments);
  const pictures = others.filter(({ type, image }, place) => !maps[place] && isPicture(type, image, size));
  return { pictures: pictures.length, hasGainMap: namesGainMap(segments) || maps.includes(true) };
}

function readIndex(file: Bytes, segments: readonly JpegSegment[]): Companion[] {
  const segment = segments.find(({ marker, body }) => marker === MARKER.app2 && startsWith(body, MPF_HEAD));
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
      (marker === MARKER.app2 && startsWith(body, ISO_GAIN_MAP)) ||
      (marker === MARKER.app1 &&
        startsWith(body, 'http:') &&
        XMP_GAIN_MAPS.test(new TextDecoder().decode(body))),
  );
}

/** An image of no stated type may be a preview or a map of depths: a picture is as large as the first one. */
function isPicture(type: number, image: Bytes, first: ImageSize | null): boolean {
  if (type >> 16 === LARGE_THUMBNAILS) return false;
  if (type !== UNDEFINED_TYPE) return true;
  const size = findFrameHeader(readJpegSegments(image));
  return size !== null && size.width === first?.width && size.height === first.height;
}
