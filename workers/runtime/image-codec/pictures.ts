import { getMessage, OperationError } from '../../../models/core/operation/errors.ts';
import type { ImageMetadata, Picture } from '../../../models/core/runtime/image-codec.ts';
import type { Frame, Raster, Raster8 } from '../../../models/core/runtime/raster.ts';
import { getStrips } from '../../../models/kernels/raster/picture.ts';

/** Opaque image held by the browser: it goes from decoder to encoder without passing through scripts. */
export class BitmapPicture implements Picture {
  readonly frameCount = 1;
  readonly loopCount = 0;
  readonly hasAlpha = false;
  readonly bitDepth = 8;
  readonly width: number;
  readonly height: number;
  readonly metadata: ImageMetadata;
  readonly bitmap: ImageBitmap;

  constructor(bitmap: ImageBitmap, metadata: ImageMetadata) {
    this.bitmap = bitmap;
    this.width = bitmap.width;
    this.height = bitmap.height;
    this.metadata = metadata;
  }

  /** Yields the frame once: the bitmap is gone then. */
  async *frames(): AsyncIterable<Frame> {
    const canvas = drawBitmap(this.bitmap);
    this.bitmap.close();
    const raster = readCanvas(canvas);
    releaseCanvas(canvas);
    yield { ...raster, durationMs: 0 };
  }
}

/**
 * Draws the bitmap on an opaque canvas. Only drawing rotates a bitmap upright and converts it to the canvas's
 * colours: a bitmap renderer shows it as stored.
 */
export function drawBitmap(bitmap: ImageBitmap): OffscreenCanvas {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  contextOf(canvas, { alpha: false }).drawImage(bitmap, 0, 0);
  return canvas;
}

/**
 * Draws an image on a canvas, strip by strip.
 * @param prepare makes a strip drawable
 */
export async function drawStrips(
  picture: Picture,
  { hasAlpha }: { readonly hasAlpha: boolean },
  prepare: (strip: Raster) => Raster8,
): Promise<OffscreenCanvas> {
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const context = contextOf(canvas, { alpha: hasAlpha });
  let top = 0;
  for await (const strip of getStrips(picture).strips) {
    put(prepare(strip), context, top);
    top += strip.height;
  }
  return canvas;
}

/** Draws the raster on a canvas. A canvas premultiplies, so colours under low alpha lose precision. */
export function drawRaster(raster: Raster8, { hasAlpha }: { readonly hasAlpha: boolean }): OffscreenCanvas {
  const canvas = new OffscreenCanvas(raster.width, raster.height);
  put(raster, contextOf(canvas, { alpha: hasAlpha }), 0);
  return canvas;
}

function put(
  { width, height, data }: Raster8,
  context: OffscreenCanvasRenderingContext2D,
  top: number,
): void {
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  context.putImageData(new ImageData(pixels, width, height), 0, top);
}

/** Reads rows of an opaque canvas; all of them when none are named. */
export function readCanvas(
  canvas: OffscreenCanvas,
  { top, height }: { readonly top: number; readonly height: number } = { top: 0, height: canvas.height },
): Raster8 {
  const { width } = canvas;
  const { data } = contextOf(canvas, { alpha: false }).getImageData(0, top, width, height);
  return { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.length) };
}

/** Releases a canvas's memory: browsers collect script objects without counting the pixels they hold. */
export function releaseCanvas(canvas: OffscreenCanvas): void {
  canvas.width = 0;
}

function contextOf(
  canvas: OffscreenCanvas,
  settings: { readonly alpha: boolean },
): OffscreenCanvasRenderingContext2D {
  // Kept off the GPU: every canvas here is read back at once.
  const context = canvas.getContext('2d', { ...settings, willReadFrequently: true });
  if (context) return context;
  throw new OperationError(
    'unavailable',
    `The image of ${canvas.width} x ${canvas.height} pixels is too large for this browser. Run it on the server.`,
    { kind: 'too_large_for_browser' },
  );
}

/** Builds an error from a decoder's message, without the source positions that ImageMagick appends. */
export function decodingError(cause: unknown): OperationError {
  const text = getMessage(cause);
  const reason = text.replace(/ ?`.*$/s, '').replace(/\.$/, '');
  return new OperationError('unprocessable', `The image is damaged or of an unsupported kind: ${reason}.`, {
    kind: 'damaged',
    cause,
  });
}
