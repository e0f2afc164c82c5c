import type { EncodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import type { Raster8 } from '../../../models/core/runtime/raster.ts';
import { cropRaster, type Region } from '../../../models/kernels/raster/crop.ts';
import { changedRegion } from '../../../models/kernels/raster/frame-canvas.ts';
import { measureGraphics } from '../../../models/kernels/raster/measure-graphics.ts';
import { toEightBits } from '../../../models/kernels/raster/pixel-format.ts';
import { planGraphics } from '../../../models/media/image/quality/graphics-coding.ts';
import { type WebpFrame, writeWebpAnimation } from '../../../models/media/image/webp/write-animation.ts';
import { canvasQuality } from './encode-measured.ts';
import { encodeCanvas, encodeCanvasLosslessly } from './encode-on-canvas.ts';
import { drawRaster, releaseCanvas } from './pictures.ts';

/**
 * Encodes all frames with the browser's own WebP encoder, each cropped to the changed region.
 * @returns null when this browser has none
 */
export async function encodeWebpAnimation(
  picture: Picture,
  options: EncodeOptions,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { width, height, hasAlpha, frameCount, loopCount } = picture;
  const frames: WebpFrame[] = [];
  let before: Raster8 | undefined;
  for await (const frame of picture.frames()) {
    options.signal.throwIfAborted();
    const raster = toEightBits(frame);
    const region = before ? changedRegion(before, raster) : { left: 0, top: 0, width, height };
    const still = await encodeFrame(cropped(raster, region), hasAlpha, options);
    if (!still) return null;
    frames.push({ region, durationMs: frame.durationMs, still });
    options.onProgress?.({ fraction: frames.length / frameCount });
    before = raster;
  }
  return writeWebpAnimation({ width, height, hasAlpha }, loopCount, frames);
}

/** Encodes the changed region of a frame: a drawing by the first coding of its plan that this browser has. */
async function encodeFrame(
  raster: Raster8,
  hasAlpha: boolean,
  options: EncodeOptions,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const canvas = drawRaster(raster, { hasAlpha });
  const usual = await encodeCanvas(canvas, 'webp', canvasQuality(options));
  const plan = usual && planGraphics(measureGraphics(raster), { ...options, ...raster });
  const lossless = plan && (await encodeCanvasLosslessly(canvas));
  releaseCanvas(canvas);
  if (!plan || !lossless) return usual;
  const isAccepted = options.quality === 100 || lossless.length <= usual.length * plan.growthMax;
  return isAccepted ? lossless : usual;
}

function cropped(raster: Raster8, region: Region): Raster8 {
  return { width: region.width, height: region.height, data: cropRaster(raster, region, 'rgba') };
}
