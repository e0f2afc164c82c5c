import type { ImageFormat, PrintResolution } from '../../../core/runtime/image-codec.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { CENTIMETRES_PER_INCH, perInchOf } from '../../bytes/print-units.ts';
import { startsWith } from '../../bytes/starts-with.ts';
import { readExifResolution } from '../exif/set-resolution.ts';
import { readJpegSegments } from '../jpeg/segments.ts';
import { iteratePngChunks } from '../png/chunks.ts';

const APP0 = 0xe0;
const JFIF_HEAD = 'JFIF\0';
const JFIF_INCH = 1;
const JFIF_CENTIMETRE = 2;
const PNG_METRE = 1;
/** Size of the smallest bitmap header with a resolution. */
const BMP_HEADER_BYTES = 40;
/** A bitmap that states 0, and a JFIF that states 1, name no resolution; and no printer reaches a million. */
const PIXELS_PER_INCH = { over: 1, max: 1_000_000 };

/**
 * Reads the print resolution of a file: from the fields that its format has, else from its EXIF.
 * @param exif of the file, a TIFF stream
 * @returns undefined where the file states none, or only the shape of a pixel
 */
export function readResolution(
  file: Bytes,
  format: ImageFormat,
  exif: Bytes | undefined,
): PrintResolution | undefined {
  const found = (readOwnFields(file, format) ?? (exif && readExifResolution(exif))) || undefined;
  return found && isPlausible(found.x) && isPlausible(found.y) ? found : undefined;
}

function readOwnFields(file: Bytes, format: ImageFormat): PrintResolution | undefined {
  switch (format) {
    case 'jpeg':
      return readJfif(file);
    case 'png':
      return readPhysicalSize(file);
    case 'tiff':
      return readExifResolution(file);
    case 'bmp':
      return readBmp(file);
    default:
      return undefined;
  }
}

/** Reads the density of JFIF 1.02: of its units 1 is an inch and 2 a centimetre. */
function readJfif(file: Bytes): PrintResolution | undefined {
  const body = readJpegSegments(file).find(
    (segment) => segment.marker === APP0 && startsWith(segment.body, JFIF_HEAD),
  )?.body;
  if (!body || body.length < 12) return undefined;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const unit = view.getUint8(7);
  const scale = unit === JFIF_CENTIMETRE ? CENTIMETRES_PER_INCH : 1;
  const [x, y] = [view.getUint16(8) * scale, view.getUint16(10) * scale];
  const isStated = (unit === JFIF_INCH || unit === JFIF_CENTIMETRE) && isPlausible(x) && isPlausible(y);
  return isStated ? { x, y } : undefined;
}

/** Reads pHYs: PNG, third edition, 11.3.4.3. */
function readPhysicalSize(file: Bytes): PrintResolution | undefined {
  for (const { type, body } of iteratePngChunks(file)) {
    if (type === 'IDAT') return undefined;
    if (type !== 'pHYs' || body.length < 9 || body[8] !== PNG_METRE) continue;
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    return fromMetres(view.getUint32(0), view.getUint32(4));
  }
  return undefined;
}

/** Reads BITMAPINFOHEADER and its successors. */
function readBmp(file: Bytes): PrintResolution | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 14 + BMP_HEADER_BYTES || view.getUint32(14, true) < BMP_HEADER_BYTES) return undefined;
  return fromMetres(view.getInt32(38, true), view.getInt32(42, true));
}

function fromMetres(x: number, y: number): PrintResolution {
  return { x: perInchOf(x), y: perInchOf(y) };
}

function isPlausible(pixelsPerInch: number): boolean {
  return pixelsPerInch > PIXELS_PER_INCH.over && pixelsPerInch < PIXELS_PER_INCH.max;
}
