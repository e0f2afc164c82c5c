import { OperationError } from '../../../core/operation/errors.ts';
import { IMAGE_FORMATS, type ImageFormat } from '../../../core/runtime/image-codec.ts';
import type { ImageSize } from '../../../core/runtime/raster.ts';
import { assertNotEmpty } from '../../bytes/assert-not-empty.ts';
import { ByteWindow } from '../../bytes/byte-window.ts';
import { readHeifSize } from '../heif/read-size.ts';
import { readJpegSize } from '../jpeg/read-size.ts';
import { readTiffSize } from '../tiff/read-size.ts';
import { readBmpSize, readGifSize, readPngSize, readWebpSize } from './fixed-header.ts';
import { isAnimated } from './is-animated.ts';

export interface ImageFacts extends ImageSize {
  readonly mediaType: `image/${ImageFormat}`;
  readonly format: ImageFormat;
  /** Whether a PNG, AVIF or HEIC announces several frames; absent where it does not, and for other formats. */
  readonly isAnimated?: true;
}

const SIZE_READERS: Record<ImageFormat, (bytes: ByteWindow) => Promise<ImageSize>> = {
  jpeg: readJpegSize,
  png: readPngSize,
  webp: readWebpSize,
  gif: readGifSize,
  bmp: readBmpSize,
  tiff: readTiffSize,
  avif: readHeifSize,
  heic: readHeifSize,
};

const SIGNATURE_BYTES = 64;

export interface ImageLimits {
  /** Limit on width times height. */
  readonly pixelsMax: number;
  /** Limit on width and height; none when absent. */
  readonly sideMax?: number;
  /** Accepted formats; all known formats when absent. */
  readonly formats?: readonly ImageFormat[];
}

/**
 * Recognises a format by the first bytes (64 are enough); null for an unknown one. Names and media types play no
 * part.
 */
export function imageFormatOf(head: Uint8Array): ImageFormat | null {
  const text = String.fromCharCode(...head.subarray(0, SIGNATURE_BYTES));
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  if (/^GIF8[79]a/.test(text)) return 'gif';
  if (text.startsWith('BM')) return 'bmp';
  if (/^(II[*+]\0|MM\0[*+])/.test(text)) return 'tiff';
  return text.slice(4, 8) === 'ftyp' ? heifFormat(head, text) : null;
}

/**
 * Reads the major and compatible brands of the `ftyp` box: ISO 14496-12, 4.3; AV1 Image File Format, 3; ISO 23008-12,
 * 10.2.
 */
function heifFormat(head: Uint8Array, text: string): ImageFormat | null {
  const boxBytes = new DataView(head.buffer, head.byteOffset).getUint32(0);
  const brands = text.slice(8, Math.min(boxBytes, SIGNATURE_BYTES)).match(/.{4}/gs) ?? [];
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'avif';
  return brands.some((brand) => /^(hei[cxms]|hev[cx]|mif[123]|msf1|avci|j2ki|jpeg)$/.test(brand))
    ? 'heic'
    : null;
}

/**
 * Reads format and size from header bytes only. Built for untrusted bytes: reads at most half a megabyte.
 * @throws OperationError `bad_request` when the file is empty or no image of an accepted format, the header is
 *   damaged, or the image is too large
 */
export async function probeImage(image: Blob, limits: ImageLimits): Promise<ImageFacts> {
  const { formats = IMAGE_FORMATS } = limits;
  assertNotEmpty(image, 'image');
  const head = new Uint8Array(await image.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const format = head.length < 12 ? null : imageFormatOf(head);
  if (!format || !formats.includes(format)) {
    const known = format
      ? `has the format ${NAMES[format]}, which is not supported here`
      : 'has an unknown format';
    throw new OperationError('bad_request', `The image ${known}. Send a ${namesOf(formats)} file.`, {
      kind: 'unknown_format',
    });
  }
  const bytes = new ByteWindow(image);
  const size = await SIZE_READERS[format](bytes);
  assertWithin(size, limits);
  const facts: ImageFacts = { mediaType: `image/${format}`, format, ...size };
  return (await isAnimated(bytes, format)) ? { ...facts, isAnimated: true } : facts;
}

function assertWithin({ width, height }: ImageSize, { pixelsMax, sideMax }: ImageLimits): void {
  const refuse = (reason: string, kind?: 'damaged') => {
    throw new OperationError('bad_request', reason, { kind });
  };
  if (width < 1 || height < 1) {
    refuse(`The image has no pixels: its header says ${width} x ${height}.`, 'damaged');
  }
  if (sideMax && Math.max(width, height) > sideMax) {
    refuse(`The image has ${width} x ${height} pixels. At most ${sideMax} x ${sideMax} are allowed.`);
  }
  if (width * height > pixelsMax) {
    const megapixels = (pixels: number) => `${Math.round(pixels / 10_000) / 100} megapixels`;
    refuse(
      `The image has ${width} x ${height} pixels (${megapixels(width * height)}). At most ${megapixels(pixelsMax)} are allowed.`,
    );
  }
}

const NAMES: Record<ImageFormat, string> = {
  jpeg: 'JPG',
  png: 'PNG',
  webp: 'WebP',
  gif: 'GIF',
  bmp: 'BMP',
  tiff: 'TIFF',
  avif: 'AVIF',
  heic: 'HEIC',
};

function namesOf(formats: readonly ImageFormat[]): string {
  const names = formats.map((format) => NAMES[format]);
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ');
}
