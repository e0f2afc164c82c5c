import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import type { ByteWindow } from '../../bytes/byte-window.ts';
import { type Bytes, concat } from '../../bytes/byte-writer.ts';
import { decodeText, startsWith } from '../../bytes/text.ts';
import { COMMENT } from '../image-format.ts';

const APP1 = 0xe1;
/** Comment: ITU-T T.81, B.2.4.5. */
export const COM = 0xfe;
const APP2 = 0xe2;
const XMP_HEAD = 'http://ns.adobe.com/xap/1.0/\0';
const ICC_HEAD = 'ICC_PROFILE\0';
const COMPONENTS_OFFSET = 5;

/** A marker segment: ITU-T T.81, B.1.1.4. */
export interface JpegSegment {
  readonly marker: number;
  /** Position of the marker in the file. */
  readonly start: number;
  /** Position after the segment. */
  readonly end: number;
  readonly body: Bytes;
}

const START_OF_SCAN = 0xda;
const FILL = 0xff;
/** Limit against crafted files: so many full segments have 650 MB. The longest XMP with its extension takes a few hundred. */
const SEGMENTS_MAX = 10_000;

/** Returns the segments before the first scan, as many as `SEGMENTS_MAX`. */
export function readJpegSegments(file: Bytes): JpegSegment[] {
  const segments: JpegSegment[] = [];
  for (let start = 2; start + 4 <= file.length && file[start] === 0xff && segments.length < SEGMENTS_MAX; ) {
    const marker = file[start + 1] ?? 0;
    if (marker === START_OF_SCAN) break;
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

/** Counts the components of a JPEG: 1 for grey, 3 for colours, 4 for inks; 0 without a frame. ITU-T T.81, B.2.2. */
function countComponents(file: Bytes): number {
  const frame = readJpegSegments(file).find(({ marker }) => isStartOfFrame(marker));
  return frame?.body[COMPONENTS_OFFSET] ?? 0;
}

/** Reports whether a JPEG has four components, which are inks. */
export function isCmykJpeg(file: Bytes): boolean {
  return countComponents(file) === 4;
}

/** Reports whether a JPEG has one component. */
export function isGreyJpeg(file: Bytes): boolean {
  return countComponents(file) === 1;
}

/** Reports a start-of-frame marker: C0 to CF, without DHT (C4), JPG (C8) and DAC (CC): ITU-T T.81, table B.1. */
export function isStartOfFrame(marker: number): boolean {
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
    if (marker === 0xd9 || marker === 0xda) throw damaged();
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
  const texts = getBodies(COM, '').map((body) => ({
    keyword: COMMENT,
    text: decodeText(body).replace(/\0+$/, ''),
  }));
  const [exif] = getBodies(APP1, 'Exif\0\0');
  const [xmp] = getBodies(APP1, XMP_HEAD);
  const profile = getBodies(APP2, ICC_HEAD)
    .map((body) => ({ place: body[ICC_HEAD.length] ?? 0, piece: body.subarray(ICC_HEAD.length + 2) }))
    .sort((left, right) => left.place - right.place);
  return {
    ...(exif ? { exif } : {}),
    ...(xmp ? { xmp: xmp.slice(XMP_HEAD.length) } : {}),
    ...(texts.length ? { texts } : {}),
    ...(profile.length ? { icc: concat(profile.map(({ piece }) => piece)) } : {}),
  };
}
