import type { IMagickImage, IMagickImageCollection } from '@imagemagick/magick-wasm';
import { OperationError } from '../../../models/errors.ts';
import type { DecodeOptions, Picture } from '../../../models/image-codec.ts';
import { readMatrixProfile } from '../../../models/kernels/icc/read-profile.ts';
import { srgbProfile } from '../../../models/kernels/icc/srgb-profile.ts';
import { convertToSrgb } from '../../../models/kernels/icc/to-srgb.ts';
import { bitsPerSample } from '../../../models/kernels/tiff/bits-per-sample.ts';
import type { Frame } from '../../../models/raster.ts';
import { type Magick, magickFormat } from './magick.ts';
import { undecodable } from './pictures.ts';
import type { Source } from './source.ts';

/**
 * Decodes with ImageMagick, to 8 bits a sample.
 * @throws OperationError `unprocessable`
 */
export function openWithMagick(source: Source, frames: DecodeOptions['frames'], magick: Magick): Picture {
  const images = magick.MagickImageCollection.create();
  try {
    const format = magickFormat(magick, source.format);
    const range = frames === 'first' ? { frameIndex: 0, frameCount: 1 } : {};
    images.read(source.bytes, new magick.MagickReadSettings({ format, ...range }));
    if (source.format !== 'tiff') images.coalesce();
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
    throw undecodable(cause);
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
    yield readFrame(image, source, magick);
  }
  images.dispose();
}

function readFrame(image: IMagickImage, { profile }: Source, magick: Magick): Frame {
  const matrix = profile && readMatrixProfile(profile);
  if (profile && !matrix) {
    image.transformColorSpace(new magick.ColorProfile(profile), new magick.ColorProfile(srgbProfile()));
  } else if (image.colorSpace !== magick.ColorSpace.Gray) {
    image.colorSpace = magick.ColorSpace.sRGB;
  }
  const { width, height } = image;
  const samples = image.getPixels((pixels) => pixels.toByteArray(0, 0, width, height, 'RGBA'));
  if (!samples) throw new OperationError('unprocessable', 'The image cannot be decoded: it has no samples.');
  const frame = {
    width,
    height,
    data: new Uint8Array(samples),
    durationMs: (1000 * image.animationDelay) / (image.animationTicksPerSecond || 100),
  };
  if (matrix) convertToSrgb(frame, matrix);
  return frame;
}
