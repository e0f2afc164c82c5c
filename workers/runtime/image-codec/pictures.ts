import { messageOf, OperationError } from '../../../models/errors.ts';
import type { ImageMetadata, Picture } from '../../../models/image-codec.ts';
import type { Raster8 } from '../../../models/kernels/opaque.ts';
import type { Frame } from '../../../models/raster.ts';

/** An opaque picture in the browser's own hands: it goes from decoder to encoder without passing through scripts. */
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

  /** Can be read once: the bitmap is gone then. */
  async *frames(): AsyncIterable<Frame> {
    const { width, height } = this;
    const canvas = drawBitmap(this.bitmap);
    this.bitmap.close();
    const { data } = contextOf(canvas, { alpha: false }).getImageData(0, 0, width, height);
    letGo(canvas);
    const { buffer, byteOffset, length } = data;
    yield { width, height, data: new Uint8Array(buffer as ArrayBuffer, byteOffset, length), durationMs: 0 };
  }
}

/**
 * An opaque canvas with the bitmap on it. Only drawing turns a bitmap upright and brings it into the canvas's colours:
 * what a bitmap renderer shows is still as it was in the file.
 */
export function drawBitmap(bitmap: ImageBitmap): OffscreenCanvas {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  contextOf(canvas, { alpha: false }).drawImage(bitmap, 0, 0);
  return canvas;
}

/** A canvas with the raster on it. A canvas premultiplies, so colours under low alpha lose precision. */
export function drawRaster(
  { width, height, data }: Raster8,
  { hasAlpha }: { hasAlpha: boolean },
): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  contextOf(canvas, { alpha: hasAlpha }).putImageData(new ImageData(pixels, width, height), 0, 0);
  return canvas;
}

/** Gives a canvas's memory back: browsers see scripts' garbage, but not how much of theirs hangs on it. */
export function letGo(canvas: OffscreenCanvas): void {
  canvas.width = 0;
}

function contextOf(
  canvas: OffscreenCanvas,
  settings: { readonly alpha: boolean },
): OffscreenCanvasRenderingContext2D {
  // Kept off the graphics card: every canvas here is read back at once.
  const context = canvas.getContext('2d', { ...settings, willReadFrequently: true });
  if (context) return context;
  throw new OperationError(
    'unavailable',
    `The image of ${canvas.width} x ${canvas.height} pixels is too large for this browser. Run it on the server.`,
  );
}

/** A decoder's own words, as far as they are for people: ImageMagick appends places in its source. */
export function undecodable(cause: unknown): OperationError {
  const text = messageOf(cause);
  const reason = text.replace(/ ?`.*$/s, '').replace(/\.$/, '');
  return new OperationError('unprocessable', `The image is damaged or of an unsupported kind: ${reason}.`, {
    cause,
  });
}
