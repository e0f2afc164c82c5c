import type { EncodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import type { Raster8 } from '../../../models/core/runtime/raster.ts';
import { firstFrame } from '../../../models/kernels/picture/first-frame.ts';
import { pictureOf } from '../../../models/kernels/picture/raster-picture.ts';
import { stripsOf } from '../../../models/kernels/picture/strips.ts';
import {
  type GraphicsMeasure,
  GraphicsMeter,
  measureGraphics,
} from '../../../models/kernels/raster/measure-graphics.ts';
import { toEightBits } from '../../../models/kernels/raster/pixel-format.ts';
import { encoderSetting } from '../../../models/media/image/quality/encoder-setting.ts';
import {
  encodeByPlan,
  type GraphicsCoding,
  LOSSLESS_LEVEL_MAX,
  planGraphics,
} from '../../../models/media/image/quality/graphics-coding.ts';
import { encodeWebpRaster } from '../../../models/media/image/webp/encode-raster.ts';
import type { Loading } from '../loading/assets.ts';
import {
  type CanvasFormat,
  drawForFormat,
  encodeCanvas,
  encodeCanvasLosslessly,
} from './encode-on-canvas.ts';
import { encodeWithMagick } from './encode-with-magick.ts';
import { loadMagick } from './magick.ts';
import { openOpaque } from './opaque-image.ts';
import { releaseCanvas } from './pictures.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Encodes the first frame as JPEG or WebP: photographs by the browser's own encoder, drawings in a way that keeps their
 * colours.
 * @throws OperationError `unprocessable` when the image does not fit the format
 */
export async function encodeMeasured(
  picture: Picture,
  format: CanvasFormat,
  options: EncodeOptions,
  loading: Loading,
): Promise<Bytes> {
  return picture.hasAlpha && format === 'webp'
    ? encodeTransparent(picture, options, loading)
    : encodeOpaque(picture, format, options, loading);
}

/** Returns our quality number on the scale of a canvas. Its JPEG differs from the server's by less than a step. */
export function canvasQuality({ format, quality }: Pick<EncodeOptions, 'format' | 'quality'>): number {
  return format === 'webp' ? encoderSetting('canvas-webp', quality) : quality;
}

/** Returns our quality number on ImageMagick's scale. */
function magickQuality({ format, quality }: Pick<EncodeOptions, 'format' | 'quality'>): number {
  return format === 'webp' ? encoderSetting('magick-webp', quality) : Math.round(quality);
}

async function encodeOpaque(
  picture: Picture,
  format: CanvasFormat,
  options: EncodeOptions,
  loading: Loading,
): Promise<Bytes> {
  const image = await openOpaque(picture, format, options);
  const encodeUsually = async () =>
    (await image.withCanvas((canvas) => encodeCanvas(canvas, format, canvasQuality(options)))) ??
    encodeCoded(image.asPicture(), undefined, options, loading);
  const plan = planGraphics(await measureStrips(image.asPicture()), {
    ...options,
    width: image.width,
    height: image.height,
  });
  const file = await (plan
    ? encodeByPlan(plan, async (coding) => {
        if (!coding) return encodeUsually();
        const isWhole = coding.losslessLevel === LOSSLESS_LEVEL_MAX;
        return (
          (isWhole && (await image.withCanvas(encodeCanvasLosslessly))) ||
          encodeCoded(image.asPicture(), coding, options, loading).catch(
            unlessAborted(options, encodeUsually),
          )
        );
      })
    : encodeUsually());
  image.release();
  return file;
}

/** Encodes as WebP with alpha. */
async function encodeTransparent(picture: Picture, options: EncodeOptions, loading: Loading): Promise<Bytes> {
  const raster = toEightBits(await firstFrame(picture));
  const plan = planGraphics(measureGraphics(raster), { ...options, ...raster });
  const encodeUsually = () => encodeTransparentPhotograph(raster, options, loading);
  if (!plan) return encodeUsually();
  const whole = pictureOf(raster, { hasAlpha: true, metadata: {} });
  return encodeByPlan(plan, (coding) => encodeCoded(whole, coding, options, loading)).catch(
    unlessAborted(options, encodeUsually),
  );
}

async function encodeTransparentPhotograph(
  raster: Raster8,
  options: EncodeOptions,
  loading: Loading,
): Promise<Bytes> {
  const transparent = pictureOf(raster, { hasAlpha: true, metadata: {} });
  const encode = async (opaque: Picture) => {
    const canvas = await drawForFormat(opaque, 'webp', options);
    const file = await encodeCanvas(canvas, 'webp', canvasQuality(options));
    releaseCanvas(canvas);
    return file ?? encodeCoded(opaque, undefined, options, loading);
  };
  return (
    (await encodeWebpRaster(transparent, encode)) ?? encodeCoded(transparent, undefined, options, loading)
  );
}

async function encodeCoded(
  picture: Picture,
  coding: GraphicsCoding | undefined,
  options: EncodeOptions,
  loading: Loading,
): Promise<Bytes> {
  const quality = magickQuality({ ...options, quality: coding?.quality ?? options.quality });
  return encodeWithMagick(picture, { ...options, quality }, await loadMagick(loading), coding);
}

/** Returns a handler that encodes in the usual way when ImageMagick cannot be loaded, as without a network. */
function unlessAborted({ signal }: EncodeOptions, encodeUsually: () => Promise<Bytes>): () => Promise<Bytes> {
  return () => {
    signal.throwIfAborted();
    return encodeUsually();
  };
}

async function measureStrips(picture: Picture): Promise<GraphicsMeasure> {
  const meter = new GraphicsMeter(picture.width);
  for await (const strip of stripsOf(picture).strips) meter.add(strip);
  return meter.measure();
}
