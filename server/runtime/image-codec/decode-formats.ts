import sharp from 'sharp';
import type { DecodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import { addWarnings, firstFrame } from '../../../models/kernels/raster/picture.ts';
import type { Bytes } from '../../../models/media/bytes/byte-writer.ts';
import { readBmp } from '../../../models/media/image/bmp/read-bmp.ts';
import { readColours } from '../../../models/media/image/colours.ts';
import { getOrientation } from '../../../models/media/image/exif/exif.ts';
import { readMetadata, readOrientation } from '../../../models/media/image/metadata.ts';
import { openPngAnimation } from '../../../models/media/image/png/open-animation.ts';
import { appendNoise, truncatedError } from '../../../models/media/image/read-image-file.ts';
import {
  type OwnPages,
  pictureOfPages,
  planTiffPages,
} from '../../../models/media/image/tiff/open-own-pages.ts';
import { METADATA_BYTES_MAX, openColoured } from './open-coloured.ts';
import { applyColours, openSamples } from './open-samples.ts';
import { decodingError } from './sharp-errors.ts';
import type { SharpPicture } from './sharp-picture.ts';
import { inflateAtMost } from './zlib.ts';

const inflateWithin = (packed: Bytes, bytesMax: number) => inflateAtMost(bytesMax)(packed);

/**
 * Opens a TIFF: with sharp where libvips reads its kind right, else with our own decoder.
 * @throws OperationError `unprocessable`
 */
export async function openTiff(file: Bytes, options: DecodeOptions): Promise<Picture> {
  const decoding = { frames: options.frames, orientation: getOrientation(file), inflate: inflateWithin };
  const { own, frames, warnings } = await planTiffPages(file, decoding);
  options.signal.throwIfAborted();
  return addWarnings(
    await (own ? openOwn(file, own, options) : openColoured(file, 'tiff', { ...options, frames })),
    warnings,
  );
}

async function openOwn(file: Bytes, pages: OwnPages, options: DecodeOptions): Promise<Picture> {
  const { metadata } = await readMetadata(file, 'tiff', inflateAtMost(METADATA_BYTES_MAX));
  const { icc: _, ...others } = metadata;
  const picture = pictureOfPages(pages, others);
  return pages.isSrgb ? picture : applyColours(picture, await readColours(file, 'tiff', metadata), options);
}

/**
 * Opens a PNG, with the frames of an animated one if all are wanted.
 * @throws OperationError `unprocessable`
 */
export async function openPng(input: Uint8Array<ArrayBuffer>, options: DecodeOptions): Promise<Picture> {
  const still = await openColoured(input, 'png', options);
  if (options.frames === 'first') return still;
  return openPngAnimation(input, still, {
    orientation: await readOrientation(input, 'png'),
    decodeStill: async (file) => firstFrame(await openColoured(file, 'png', { ...options, frames: 'first' })),
    signal: options.signal,
  });
}

/**
 * Opens a BMP.
 * @throws OperationError `unprocessable`
 */
export function openBmp(input: Uint8Array<ArrayBuffer>, options: DecodeOptions): SharpPicture {
  const { width, height, hasAlpha, icc, data } = readBmp(input);
  return openSamples(
    { width, height, channels: 4, hasAlpha, metadata: icc ? { icc } : {} },
    options,
    (samples) => samples.set(data),
  );
}

/**
 * Checks that a JPEG whose end marker was missing lacks no samples: libvips overlooks those of the last rows.
 * @param file with an end marker
 * @throws OperationError `unprocessable` when some are missing
 */
export async function assertWholeScan(file: Uint8Array<ArrayBuffer>): Promise<void> {
  const [plain, noisy] = [await sumSamples(file), await sumSamples(appendNoise(file))];
  if (plain !== noisy) throw truncatedError('JPEG');
}

/** Returns sums over all samples, which are computed in passing. */
async function sumSamples(file: Uint8Array<ArrayBuffer>): Promise<string> {
  const { channels } = await sharp(file, { failOn: 'none', limitInputPixels: false })
    .stats()
    .catch(decodingError);
  return JSON.stringify(channels.map(({ sum, squaresSum }) => [sum, squaresSum]));
}
