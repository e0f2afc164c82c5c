import { parseParams } from '../../../models/core/operation/params.ts';
import type { ImageSize, Rgba } from '../../../models/core/runtime/raster.ts';
import { orientedSize } from '../../../models/kernels/raster/orient-raster.ts';
import { fitWithin } from '../../../models/kernels/raster/resize.ts';
import { FOCUS_SIDE_MAX, locateAttention } from '../../../models/operations/convert/geometry.ts';
import { paramsSchema } from '../../../models/operations/convert/schema.ts';
import { openBitmap, probeImageFile, readPixels } from '../files/open-bitmap.ts';
import { DRAWING_SIDE_MAX, type DrawingPlan, planDrawing } from './plan-drawing.ts';

/**
 * Draws an original as its result shows it: cropped, turned, cut and padded alike, in its own resolution.
 * @param params of the conversion
 * @returns a PNG, or the original itself where both show the same
 * @throws DOMException when the original cannot be shown, OperationError when the params do not fit it, and the reason
 *   of an aborted signal
 */
export async function drawOriginal(original: Blob, params: object, signal: AbortSignal): Promise<Blob> {
  const parsed = parseParams(paramsSchema, params);
  const image = await probeImageFile(original);
  const bitmap = await openBitmap(original, DRAWING_SIDE_MAX, signal);
  try {
    signal.throwIfAborted();
    const small = fitWithin(bitmap, FOCUS_SIDE_MAX);
    const attention =
      parsed.gravity === 'attention' ? locateAttention(readPixels(bitmap, small), image, parsed) : undefined;
    const plan = planDrawing(image, parsed, attention);
    return plan ? await draw(bitmap, image, plan) : original;
  } finally {
    bitmap.close();
  }
}

function draw(bitmap: ImageBitmap, image: ImageSize, { geometry, scale }: DrawingPlan): Promise<Blob> {
  const { crop, orientation, scaled, kept, canvas: whole, pad, background } = geometry;
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(whole.width * scale)),
    Math.max(1, Math.round(whole.height * scale)),
  );
  const context = canvas.getContext('2d');
  if (!context) throw new DOMException('This browser has no canvas.', 'NotSupportedError');
  context.imageSmoothingQuality = 'high';
  context.scale(canvas.width / whole.width, canvas.height / whole.height);
  context.fillStyle = toCss(pad);
  context.fillRect(0, 0, whole.width, whole.height);
  context.beginPath();
  context.rect(whole.left, whole.top, kept.width, kept.height);
  context.clip();
  context.clearRect(whole.left, whole.top, kept.width, kept.height);
  if (background) {
    context.fillStyle = toCss(background);
    context.fillRect(whole.left, whole.top, kept.width, kept.height);
  }
  context.translate(whole.left - kept.left + scaled.width / 2, whole.top - kept.top + scaled.height / 2);
  if (orientation.isMirrored) context.scale(-1, 1);
  context.rotate((orientation.quarterTurns * Math.PI) / 2);
  const { width, height } = orientedSize(scaled, orientation);
  const from = crop ?? { left: 0, top: 0, ...image };
  const [across, down] = [bitmap.width / image.width, bitmap.height / image.height];
  const source = [from.left * across, from.top * down, from.width * across, from.height * down] as const;
  context.drawImage(bitmap, ...source, -width / 2, -height / 2, width, height);
  return canvas.convertToBlob({ type: 'image/png' });
}

function toCss([red, green, blue, alpha]: Rgba): string {
  return `rgb(${red * 255} ${green * 255} ${blue * 255} / ${alpha})`;
}
