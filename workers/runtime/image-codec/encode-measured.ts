import type { EncodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import type { ImageSize, Raster8 } from '../../../models/core/runtime/raster.ts';
import {
  type GraphicsMeasure,
  GraphicsMeter,
  measureGraphics,
} from '../../../models/kernels/raster/measure-graphics.ts';
import {
  firstFrame,
  getPicture,
  getStrips,
  splitRows,
  stripPicture,
} from '../../../models/kernels/raster/picture.ts';
import { flatten, toEightBits } from '../../../models/kernels/raster/pixel-format.ts';
import {
  encodeByPlan,
  type GraphicsCoding,
  LOSSLESS_LEVEL_MAX,
  planGraphics,
} from '../../../models/media/image/quality/graphics-coding.ts';
import { encoderSetting } from '../../../models/media/image/quality/quality-tables.ts';
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
import { BitmapPicture, readCanvas, releaseCanvas } from './pictures.ts';

/** Rows of a strip; even, for the measure of drawings. */
const STRIP_ROWS = 256;

/** Opaque image that several encodings of one file read. It is held once: as a raster or on a canvas. */
interface OpaqueImage extends ImageSize {
  /** Returns the image by its strips, for one encoder that reads scripts' samples. */
  asPicture(): Picture;
  /** Calls `encode` with a canvas of the image, which is valid until the call ends. */
  withCanvas<Result>(encode: (canvas: OffscreenCanvas) => Promise<Result>): Promise<Result>;
  /** Releases the memory. */
  release(): void;
}

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
  const whole = getPicture(raster, { hasAlpha: true, metadata: {} });
  return encodeByPlan(plan, (coding) => encodeCoded(whole, coding, options, loading)).catch(
    unlessAborted(options, encodeUsually),
  );
}

async function encodeTransparentPhotograph(
  raster: Raster8,
  options: EncodeOptions,
  loading: Loading,
): Promise<Bytes> {
  const transparent = getPicture(raster, { hasAlpha: true, metadata: {} });
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
  for await (const strip of getStrips(picture).strips) meter.add(strip);
  return meter.measure();
}

/**
 * Opens the first frame over the background: where a script already holds its samples, without a canvas next to them.
 */
async function openOpaque(
  picture: Picture,
  format: CanvasFormat,
  options: Pick<EncodeOptions, 'background'>,
): Promise<OpaqueImage> {
  if (picture instanceof BitmapPicture || picture.strips) {
    return onCanvas(await drawForFormat(picture, format, options));
  }
  const frame = await firstFrame(picture);
  const { width, height } = frame;
  const asPicture = () => opaquePicture(frame, stripsOfRaster());
  async function* stripsOfRaster(): AsyncGenerator<Raster8> {
    for (const strip of splitRows(frame, STRIP_ROWS)) {
      yield toEightBits(picture.hasAlpha ? flatten(strip, options.background) : strip);
    }
  }
  return {
    width,
    height,
    asPicture,
    async withCanvas(encode) {
      const canvas = await drawForFormat(asPicture(), format, options);
      const result = await encode(canvas);
      releaseCanvas(canvas);
      return result;
    },
    release() {},
  };
}

function onCanvas(canvas: OffscreenCanvas): OpaqueImage {
  const { width, height } = canvas;
  return {
    width,
    height,
    asPicture: () => opaquePicture({ width, height }, stripsOfCanvas(canvas)),
    withCanvas: (encode) => encode(canvas),
    release: () => releaseCanvas(canvas),
  };
}

function opaquePicture({ width, height }: ImageSize, strips: AsyncIterable<Raster8>): Picture {
  return stripPicture({ width, height, bitDepth: 8, strips }, { hasAlpha: false, metadata: {} });
}

async function* stripsOfCanvas(canvas: OffscreenCanvas): AsyncGenerator<Raster8> {
  const { height } = canvas;
  for (let top = 0; top < height; top += STRIP_ROWS) {
    yield readCanvas(canvas, { top, height: Math.min(STRIP_ROWS, height - top) });
  }
}
