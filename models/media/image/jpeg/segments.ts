import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import type { ByteWindow } from '../../bytes/byte-window.ts';
import { type Bytes, concat } from '../../bytes/byte-writer.ts';
import { decodeText, startsWith } from '../../bytes/text.ts';
import { COMMENT } from '../image-format.ts';

/** Markers: ITU-T T.81, table B.1. */
export const MARKER = {
  startOfScan: 0xda,
  endOfImage: 0xd9,
  app0: 0xe0,
  app1: 0xe1,
  app2: 0xe2,
  app13: 0xed,
  comment: 0xfe,
} as const;
/** Heads of the bodies of application segments: JFIF 1.02; EXIF 2.32, 4.7.2; XMP, part 3, 1.1.3; ICC.1:2022, B.4. */
export const HEAD = {
  jfif: 'JFIF\0',
  exif: 'Exif\0\0',
  xmp: 'http://ns.adobe.com/xap/1.0/\0',
  extendedXmp: 'http://ns.adobe.com/xmp/extension/\0',
  icc: 'ICC_PROFILE\0',
  photoshop: 'Photoshop 3.0\0',
} as const;

/** A marker segment: ITU-T T.81, B.1.1.4. */
export interface JpegSegment {
  readonly marker: number;
  /** Position of the marker in the file. */
  readonly start: number;
  /** Position after the segment. */
  readonly end: number;
  readonly body: Bytes;
}

const FILL = 0xff;
/** Limit against crafted files: so many full segments have 650 MB. The longest XMP takes a few hundred. */
const SEGMENTS_MAX = 10_000;

/** Returns the segments before the first scan, as many as `SEGMENTS_MAX`. */
export function readJpegSegments(file: Bytes): JpegSegment[] {
  const segments: JpegSegment[] = [];
  for (let start = 2; start + 4 <= file.length && file[start] === 0xff && segments.length < SEGMENTS_MAX; ) {
    const marker = file[start + 1] ?? 0;
    if (marker === MARKER.startOfScan) break;
    if (marker === FILL) {
      start += 1;
      continue;
    }
    const length = Math.max(2, ((file[start + 2] ?? 0) << 8) | (file[start + 3] ?? 0));
    const end = start + 2 + length;
    segments.push({ marker, start, end, body: file.subarray(start + 4, end) });
    start = end;
  }
  return segments;
}

/** Header of a frame: ITU-T T.81, B.2.2. */
interface FrameHeader extends ImageSize {
  /** 1 for grey, 3 for colours, 4 for inks. */
  readonly components: number;
}

/** Returns the header of the first frame; null where none is whole. */
export function findFrameHeader(segments: readonly JpegSegment[]): FrameHeader | null {
  const body = segments.find(({ marker }) => isStartOfFrame(marker))?.body;
  if (!body || body.length < 6) return null;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  return { width: view.getUint16(3), height: view.getUint16(1), components: view.getUint8(5) };
}

/** Reports whether a JPEG has four components, which are inks. */
export function isCmykJpeg(file: Bytes): boolean {
  return findFrameHeader(readJpegSegments(file))?.components === 4;
}

/** Reports whether a JPEG has one component. */
export function isGreyJpeg(file: Bytes): boolean {
  return findFrameHeader(readJpegSegments(file))?.components === 1;
}

/** Reports a start-of-frame marker: C0 to CF, without DHT (C4), JPG (C8) and DAC (CC): ITU-T T.81, table B.1. */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Walks the segments to the first start of frame: ITU-T T.81, B.1.1 and B.2.2. */
export async function readJpegSize(bytes: ByteWindow): Promise<ImageSize> {
  let offset = 2;
  for (;;) {
    const view = await bytes.read(offset, 4);
    const marker = view.getUint8(1);
    if (view.getUint8(0) !== 0xff) throw damaged();
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      offset += marker === 0xff ? 1 : 2; // fill bytes, and markers without a length
      continue;
    }
    if (marker === MARKER.endOfImage || marker === MARKER.startOfScan) throw damaged();
    if (isStartOfFrame(marker)) {
      const frame = await bytes.read(offset + 5, 4);
      return { width: frame.getUint16(2), height: frame.getUint16(0) };
    }
    offset += 2 + Math.max(2, view.getUint16(2));
  }
}

function damaged(): OperationError {
  return new OperationError('bad_request', 'The image is a damaged JPEG: it has no frame header.', {
    kind: 'damaged',
  });
}

/** Reads the metadata segments: EXIF 2.32, 4.7.2; XMP, part 3, 1.1.3; ICC.1:2022, B.4. */
export function readJpegMetadata(file: Bytes): ImageMetadata {
  const segments = readJpegSegments(file);
  const getBodies = (marker: number, head: string) =>
    segments
      .filter((segment) => segment.marker === marker && startsWith(segment.body, head))
      .map(({ body }) => body);
  const texts = getBodies(MARKER.comment, '').map((body) => ({
    keyword: COMMENT,
    text: decodeText(body).replace(/\0+$/, ''),
  }));
  const [exif] = getBodies(MARKER.app1, HEAD.exif);
  const [xmp] = getBodies(MARKER.app1, HEAD.xmp);
  const profile = getBodies(MARKER.app2, HEAD.icc)
    .map((body) => ({ place: body[HEAD.icc.length] ?? 0, piece: body.subarray(HEAD.icc.length + 2) }))
    .sort((left, right) => left.place - right.place);
  return {
    ...(exif ? { exif } : {}),
    ...(xmp ? { xmp: xmp.slice(HEAD.xmp.length) } : {}),
    ...(texts.length ? { texts } : {}),
    ...(profile.length ? { icc: concat(profile.map(({ piece }) => piece)) } : {}),
  };
}
