import type { IMagickImage, IMagickImageCollection } from '@imagemagick/magick-wasm';
import { getMessage, OperationError } from '../../../models/core/operation/errors.ts';
import type { EncodeOptions, EncoderTuning, Picture } from '../../../models/core/runtime/image-codec.ts';
import { progressSpan } from '../../../models/core/runtime/progress.ts';
import type { Frame, ImageSize, Raster } from '../../../models/core/runtime/raster.ts';
import { GraphicsMeter } from '../../../models/kernels/raster/measure-graphics.ts';
import { splitRows } from '../../../models/kernels/raster/picture.ts';
import { dropAlpha, flatten, toEightBits } from '../../../models/kernels/raster/pixel-format.ts';
import { getFormat } from '../../../models/media/image/find-format.ts';
import {
  type GraphicsCoding,
  hasColourEdges,
  LOSSLESS_LEVEL_MAX,
} from '../../../models/media/image/quality/graphics-coding.ts';
import { type Magick, magickFormat } from './magick.ts';

const WEBP_METHOD_MAX = 6;

/** From this quality on ImageMagick writes WebP without loss, where libwebp's method 1 is nearly as small as any. */
const LOSSLESS_QUALITY = 100;

const LOSSLESS_EFFORT = 1 / WEBP_METHOD_MAX;

/** libaom's speeds: slower ones take minutes for a photograph on one thread. */
const AVIF_SPEED_MIN = 6;

const AVIF_SPEED_MAX = 9;

/** Pixels up to which a JPEG is written in several passes: these hold all coefficients, 2 bytes a sample. */
const SEVERAL_PASSES_PIXELS_MAX = 16_000_000;

/** 0 to 9, fastest last. On one thread lower values take minutes for a photo. */
const AVIF_SPEED = '9';

/** Rows that are copied at once; even, for the measure of drawings. */
const STRIP_ROWS = 256;

const TICKS_PER_SECOND = 100;

/** Share of the time spent reading frames; writing the file reports no progress. */
const FRAMES_SHARE = 0.5;

/**
 * Encodes with ImageMagick, from 8 bits per sample.
 * @param coding of a drawing; that of photographs when absent
 * @throws OperationError `unprocessable`
 */
export async function encodeWithMagick(
  picture: Picture,
  options: EncodeOptions,
  magick: Magick,
  coding?: GraphicsCoding,
): Promise<Uint8Array<ArrayBuffer>> {
  const { format } = options;
  const images = magick.MagickImageCollection.create();
  try {
    await addFrames(images, picture, { ...options, coding }, magick);
    return images.write(magickFormat(magick, format), (file) => new Uint8Array(file));
  } catch (cause) {
    options.signal.throwIfAborted();
    if (cause instanceof OperationError) throw cause;
    const reason = getMessage(cause);
    throw new OperationError('unprocessable', `The image cannot be written as ${format}: ${reason}`, {
      kind: 'not_written',
      cause,
    });
  } finally {
    images.dispose();
  }
}

interface CodedOptions extends EncodeOptions {
  readonly coding: GraphicsCoding | undefined;
}

async function addFrames(
  images: IMagickImageCollection,
  picture: Picture,
  options: CodedOptions,
  magick: Magick,
): Promise<void> {
  const { format, signal } = options;
  const { several } = getFormat(format).holds;
  const frameCount = several ? picture.frameCount : 1;
  const progress = progressSpan(options.onProgress ?? (() => {}), 0, FRAMES_SHARE);
  if (picture.strips) {
    images.push(await getImage(picture.strips(), picture, options, magick));
    progress({ fraction: 1 });
    return;
  }
  for await (const frame of picture.frames()) {
    signal.throwIfAborted();
    const image = await getImage(splitRows(frame, STRIP_ROWS), picture, options, magick);
    if (frameCount > 1 && several === 'frames') setTiming(image, frame, picture, magick);
    images.push(image);
    progress({ fraction: images.length / frameCount });
    if (images.length === frameCount) return;
  }
}

/** Makes an image strip by strip: ImageMagick's copy of its samples is the only whole one. */
async function getImage(
  strips: AsyncIterable<Raster> | Iterable<Raster>,
  { width, height, hasAlpha }: ImageSize & Pick<Picture, 'hasAlpha'>,
  { format, quality, background, tuning, coding, signal }: CodedOptions,
  magick: Magick,
): Promise<IMagickImage> {
  const keepsAlpha = hasAlpha && getFormat(format).holds.alpha;
  const { Black, Transparent } = magick.MagickColors;
  // Alpha is part of the image from the start: adding or dropping it copies all samples.
  const image = magick.MagickImage.create(keepsAlpha ? Transparent : Black, width, height);
  const meter = new GraphicsMeter(width);
  let top = 0;
  for await (const strip of strips) {
    signal.throwIfAborted();
    const raster = toEightBits(hasAlpha && !keepsAlpha ? flatten(strip, background) : strip);
    const { data } = keepsAlpha ? raster : dropAlpha(raster);
    image.getPixels((pixels) => pixels.setArea(0, top, width, raster.height, data));
    if (format === 'avif') meter.add(raster);
    top += raster.height;
  }
  image.quality = quality;
  image.settings.setDefine(magick.MagickFormat.Heic, 'speed', AVIF_SPEED);
  image.settings.compression = magick.CompressionMethod.Zip;
  if (format === 'avif' && hasColourEdges(meter.measure())) setFullChroma(image, magick);
  if (coding) codeGraphics(image, format, coding, magick);
  if (tuning) tuneMagick(image, format, tuning, magick);
  return image;
}

function setTiming(image: IMagickImage, frame: Frame, picture: Picture, magick: Magick): void {
  image.animationTicksPerSecond = TICKS_PER_SECOND;
  image.animationDelay = Math.round((frame.durationMs * TICKS_PER_SECOND) / 1000);
  image.animationIterations = picture.loopCount;
  // Each frame is complete, so none may show through from below.
  image.gifDisposeMethod = magick.GifDisposeMethod.Background;
}

/** Applies the coding of a drawing to an image that is about to be written. */
function codeGraphics(
  image: IMagickImage,
  format: string,
  { chroma, losslessLevel }: GraphicsCoding,
  magick: Magick,
): void {
  const { MagickFormat, Interlace } = magick;
  if (format === 'jpeg') {
    image.settings.setDefine(MagickFormat.Jpeg, 'sampling-factor', chroma === '4:2:0' ? '4:2:0' : '4:4:4');
    if (image.width * image.height <= SEVERAL_PASSES_PIXELS_MAX) image.settings.interlace = Interlace.Jpeg;
    else image.settings.setDefine(MagickFormat.Jpeg, 'optimize-coding', 'false');
  }
  if (format !== 'webp') return;
  if (chroma === 'sharp') image.settings.setDefine(MagickFormat.WebP, 'use-sharp-yuv', 'true');
  if (losslessLevel === undefined) return;
  image.settings.setDefine(MagickFormat.WebP, 'lossless', 'true');
  if (losslessLevel < LOSSLESS_LEVEL_MAX) {
    image.settings.setDefine(MagickFormat.WebP, 'near-lossless', String(losslessLevel));
  }
}

/** Gives the colours of an AVIF the resolution of its lightness. */
function setFullChroma(image: IMagickImage, { MagickFormat }: Magick): void {
  image.settings.setDefine(MagickFormat.Heic, 'chroma', '444');
}

/** Applies settings to an image that is about to be written. */
function tuneMagick(image: IMagickImage, format: string, tuning: EncoderTuning, magick: Magick): void {
  const { isLossless, chroma, effort, colours, isProgressive } = tuning;
  const { MagickFormat } = magick;
  if (format === 'webp') {
    if (isLossless) image.quality = LOSSLESS_QUALITY;
    const share = effort ?? (isLossless ? LOSSLESS_EFFORT : undefined);
    if (share !== undefined)
      image.settings.setDefine(MagickFormat.WebP, 'method', String(Math.round(share * WEBP_METHOD_MAX)));
  }
  if (format === 'avif') {
    if (chroma) image.settings.setDefine(MagickFormat.Heic, 'chroma', chroma === '4:4:4' ? '444' : '420');
    if (effort !== undefined) {
      const speed = Math.round(AVIF_SPEED_MAX - effort * (AVIF_SPEED_MAX - AVIF_SPEED_MIN));
      image.settings.setDefine(MagickFormat.Heic, 'speed', String(speed));
    }
  }
  if (format === 'jpeg') {
    if (chroma) image.settings.setDefine(MagickFormat.Jpeg, 'sampling-factor', chroma);
    if (isProgressive) image.settings.interlace = magick.Interlace.Jpeg;
  }
  if (colours !== undefined) {
    const settings = new magick.QuantizeSettings();
    settings.colors = colours;
    settings.ditherMethod = magick.DitherMethod.FloydSteinberg;
    image.quantize(settings);
  }
}
