import type { EncodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import type { ImageSize, Raster8 } from '../../../models/core/runtime/raster.ts';
import { firstFrame } from '../../../models/kernels/picture/first-frame.ts';
import { splitRows, stripPicture } from '../../../models/kernels/picture/strips.ts';
import { flatten, toEightBits } from '../../../models/kernels/raster/pixel-format.ts';
import { type CanvasFormat, drawForFormat } from './encode-on-canvas.ts';
import { BitmapPicture, readCanvas, releaseCanvas } from './pictures.ts';

/** Rows of a strip; even, for the measure of drawings. */
const STRIP_ROWS = 256;

/** Opaque image that several encodings of one file read. It is held once: as a raster or on a canvas. */
export interface OpaqueImage extends ImageSize {
  /** Returns the image by its strips, for one encoder that reads scripts' samples. */
  asPicture(): Picture;
  /** Calls `encode` with a canvas of the image, which is valid until the call ends. */
  withCanvas<Result>(encode: (canvas: OffscreenCanvas) => Promise<Result>): Promise<Result>;
  /** Releases the memory. */
  release(): void;
}

/**
 * Opens the first frame over the background: where a script already holds its samples, without a canvas beside them.
 */
export async function openOpaque(
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
