import type { IMagickImage, IMagickImageCollection } from '@imagemagick/magick-wasm';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { DecodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import type { Frame, Raster8 } from '../../../models/core/runtime/raster.ts';
import { getFormat } from '../../../models/media/image/find-format.ts';
import { cmykToSrgb } from '../../../models/media/image/icc/cmyk-to-srgb.ts';
import { convertToSrgb } from '../../../models/media/image/icc/convert-to-srgb.ts';
import { readMatrixProfile } from '../../../models/media/image/icc/read-profile.ts';
import { srgbProfile } from '../../../models/media/image/icc/write-profile.ts';
import { bitsPerSample } from '../../../models/media/image/tiff/directory.ts';
import { type Magick, magickFormat } from './magick.ts';
import { decodingError } from './pictures.ts';
import type { Source } from './source.ts';

/**
 * Decodes with ImageMagick, to 8 bits per sample.
 * @throws OperationError `unprocessable`
 */
export function openWithMagick(source: Source, frames: DecodeOptions['frames'], magick: Magick): Picture {
  const images = magick.MagickImageCollection.create();
  try {
    const format = magickFormat(magick, source.format);
    const arePages = getFormat(source.format).holds.several === 'pages';
    const range = frames === 'first' ? { frameIndex: 0, frameCount: 1 } : {};
    images.read(source.bytes, new magick.MagickReadSettings({ format, ...range }));
    if (!arePages) images.coalesce();
    const first = images[0];
    if (!first) throw new RangeError('it has no frames');
    first.autoOrient();
    return {
      width: first.width,
      height: first.height,
      frameCount: images.length,
      loopCount: first.animationIterations,
      hasAlpha: images.some((image) => image.hasAlpha),
      bitDepth: 8,
      ...(source.format === 'tiff' && { fileBitDepth: bitsPerSample(source.bytes) }),
      metadata: source.metadata,
      frames: () => readFrames(images, source, magick),
    };
  } catch (cause) {
    images.dispose();
    throw decodingError(cause);
  }
}

async function* readFrames(
  images: IMagickImageCollection,
  source: Source,
  magick: Magick,
): AsyncIterable<Frame> {
  for (const image of images) {
    source.signal.throwIfAborted();
    image.autoOrient();
    const durationMs = (1000 * image.animationDelay) / (image.animationTicksPerSecond || 100);
    const areInks = !source.profile && image.colorSpace === magick.ColorSpace.CMYK && !image.hasAlpha;
    yield { ...(areInks ? await readInks(image) : readFrame(image, source, magick)), durationMs };
  }
  images.dispose();
}

/** Reads inks. Inks without a profile use the server's own one. */
async function readInks(image: IMagickImage): Promise<Raster8> {
  const { cmykGrid } = await import('./cmyk-grid.ts');
  const { width, height } = image;
  return cmykToSrgb(getSamples(image, 'CMYK'), width, height, cmykGrid());
}

function readFrame(image: IMagickImage, { profile }: Source, magick: Magick): Raster8 {
  const matrix = profile && readMatrixProfile(profile);
  if (profile && !matrix) {
    image.transformColorSpace(new magick.ColorProfile(profile), new magick.ColorProfile(srgbProfile()));
  } else if (image.colorSpace !== magick.ColorSpace.Gray) {
    image.colorSpace = magick.ColorSpace.sRGB;
  }
  const { width, height } = image;
  const frame = { width, height, data: getSamples(image, 'RGBA') };
  if (matrix) convertToSrgb(frame, matrix);
  return frame;
}

/**
 * Opens a BMP.
 * @throws OperationError `unprocessable`
 */
function getSamples(image: IMagickImage, channels: 'RGBA' | 'CMYK'): Uint8Array<ArrayBuffer> {
  const { width, height } = image;
  const samples = image.getPixels((pixels) => pixels.toByteArray(0, 0, width, height, channels));
  if (!samples)
    throw new OperationError('unprocessable', 'The image cannot be decoded: it has no samples.', {
      kind: 'damaged',
    });
  return new Uint8Array(samples);
}
