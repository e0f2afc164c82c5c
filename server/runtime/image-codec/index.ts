import sharp from 'sharp';
import { writeBmp } from '../../../models/media/image/bmp/write-bmp.ts';
import { clearGifTransparency } from '../../../models/media/image/gif/clear-transparency.ts';
import { imageFormatOf } from '../../../models/media/image/headers/image-header.ts';
import { encodeHeic } from '../../../models/media/image/heif/encode-heic.ts';
import { embedMetadata } from '../../../models/media/image/metadata/embed-metadata.ts';
import { writePng } from '../../../models/media/image/png/write-png.ts';
import { encoderSetting } from '../../../models/media/image/quality/encoder-setting.ts';
import { encodeByPlan, type GraphicsCoding } from '../../../models/media/image/quality/graphics-coding.ts';
import { completeFile } from '../../../models/media/repair/complete-file.ts';
import { assertProbedSize } from '../../../models/media/image/tiff/read-size.ts';
import { encodeWebpRaster } from '../../../models/media/image/webp/encode-raster.ts';
import { addWarnings } from '../../../models/kernels/picture/add-warnings.ts';
import { stripsOf } from '../../../models/kernels/picture/strips.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type {
  DecodeOptions,
  EncodeOptions,
  ImageCodec,
  ImageFormat,
  Picture,
} from '../../../models/core/runtime/image-codec.ts';
import { createLazyTempFolder } from '../../base/lazy-temp-folder.ts';
import { assertWholeScan } from './assert-whole-scan.ts';
import { openBmp } from './decode-bmp.ts';
import { openHeic } from './decode-heic.ts';
import { openPng } from './decode-png.ts';
import { openSequence } from './decode-sequence.ts';
import { openTiff } from './decode-tiff.ts';
import { encodeAvifGrid, needsGrid } from './encode-avif-grid.ts';
import { encodeWithSharp, readOpaqueSamples, type SharpFormat } from './encode-with-sharp.ts';
import { encodeHevcStill } from './libx265.ts';
import { openColoured } from './open-coloured.ts';
import { planPicture } from './plan-picture.ts';
import { SharpPicture } from './sharp-picture.ts';
import { withSpooledFile } from './spool-strips.ts';
import { deflate } from './zlib.ts';

const MAJOR_BRAND_OFFSET = 8;
const AVIF_BRAND = [0x61, 0x76, 0x69, 0x66];

/**
 * Creates the image codec for Node: sharp (libvips) for most, libheif and libx265 for HEIC, our own kernels for BMP.
 * @param tempFolder for images that are too large for memory; defaults to one that ends with the process
 */
export function createImageCodec(tempFolder = createLazyTempFolder()): ImageCodec {
  // A run reads each image once: libvips' cache would only hold memory.
  sharp.cache(false);
  return { decode, encode: (picture, options) => encode(picture, options, tempFolder) };
}

async function decode(input: Blob, options: DecodeOptions): Promise<Picture> {
  options.signal.throwIfAborted();
  const file = new Uint8Array(await input.arrayBuffer());
  const format = imageFormatOf(file);
  if (!format) throw new OperationError('unprocessable', 'The image has an unknown format.');
  const { bytes, warnings, wasCompleted } = completeFile(file, format);
  if (format === 'tiff') await assertProbedSize(input, bytes);
  if (wasCompleted && format === 'jpeg') await assertWholeScan(bytes);
  return addWarnings(await open(bytes, format, options), warnings);
}

async function open(
  bytes: Uint8Array<ArrayBuffer>,
  format: ImageFormat,
  options: DecodeOptions,
): Promise<Picture> {
  switch (format) {
    case 'bmp':
      return openBmp(bytes, options);
    case 'heic':
      return openSequence(bytes, await openHeic(bytes, options), options);
    case 'avif':
      // libvips reads the major brand only and does not know that of a sequence (`avis`), which contains a still
      // image as well.
      bytes.set(AVIF_BRAND, MAJOR_BRAND_OFFSET);
      return openSequence(bytes, await openColoured(bytes, format, options), options);
    case 'tiff':
      return openTiff(bytes, options);
    case 'png':
      return openPng(bytes, options);
    default:
      return openColoured(bytes, format, options);
  }
}

async function encode(
  picture: Picture,
  options: EncodeOptions,
  tempFolder: () => Promise<string>,
): Promise<Blob> {
  options.signal.throwIfAborted();
  const parts = await (picture.strips
    ? encodeStrips(picture, options, await tempFolder())
    : encodeParts(picture, options));
  options.signal.throwIfAborted();
  // A blob copies its bytes: part by part, each can be freed once copied.
  const blobs = Array.from(parts, (part) => new Blob([part]));
  return new Blob(blobs, { type: `image/${options.format}` });
}

/** Encodes an image of strips, of which PNG holds one at a time; others read it from a file. */
async function encodeStrips(
  picture: Picture,
  options: EncodeOptions,
  folder: string,
): Promise<Iterable<Uint8Array<ArrayBuffer> | Blob>> {
  if (options.format !== 'png') {
    return withSpooledFile(picture, folder, options, (spooled) => encodeParts(spooled, options));
  }
  const [head, ...rest] = await writePng(stripsOf(picture), picture.hasAlpha, deflate, options.onProgress);
  return [...embedMetadata(head, 'png', options.metadata, picture), ...rest];
}

async function encodeParts(
  picture: Picture,
  options: EncodeOptions,
): Promise<Iterable<Uint8Array<ArrayBuffer>>> {
  const { format } = options;
  if (format === 'heic') {
    return encodeHeic(picture, options, encoderSetting('node-x265', options.quality), encodeHevcStill);
  }
  if (format === 'bmp') {
    return writeBmp(await readOpaqueSamples(picture, options.background), options.metadata.resolution);
  }
  const scaled = { ...options, quality: sharpQuality(options) };
  if (format === 'avif' && needsGrid(picture)) return encodeAvifGrid(picture, scaled);
  const plan = await planPicture(picture, options);
  const file = await (plan
    ? encodeByPlan(plan, (coding) => encodeDrawing(picture, format, options, coding))
    : encodeFile(picture, format, scaled));
  if (format === 'gif' && picture.frameCount === 1 && !picture.hasAlpha) clearGifTransparency(file);
  return embedMetadata(file, format, options.metadata, picture);
}

function encodeDrawing(
  picture: Picture,
  format: SharpFormat,
  options: EncodeOptions,
  coding?: GraphicsCoding,
): Promise<Uint8Array<ArrayBuffer>> {
  const quality = sharpQuality({ ...options, quality: coding?.quality ?? options.quality });
  return encodeWithSharp(picture, format, { ...options, quality }, coding);
}

/** Returns the quality number for sharp. Its JPEG defines the scale. */
function sharpQuality({ format, quality }: EncodeOptions): number {
  return format === 'webp' || format === 'avif'
    ? encoderSetting(`sharp-${format}`, quality)
    : Math.round(quality);
}

async function encodeFile(
  picture: Picture,
  format: SharpFormat,
  options: EncodeOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const isRaster = picture.frameCount === 1 && !(picture instanceof SharpPicture);
  const file =
    format === 'webp' && isRaster && picture.hasAlpha
      ? await encodeWebpRaster(picture, (opaque) => encodeWithSharp(opaque, format, options))
      : null;
  return file ?? encodeWithSharp(picture, format, options);
}
