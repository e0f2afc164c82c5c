import { type Adjustments, orientedSize } from '../../../models/kernels/resize/resize-plan.ts';
import { openBitmap } from '../files/open-bitmap.ts';
import { ADJUSTED_SIDE_MAX, type AdjustedPlan, planAdjusted } from './plan-adjusted.ts';

/**
 * Draws an original as its result shows it.
 * @returns a PNG, or the original itself where nothing has to change
 * @throws DOMException when the original cannot be shown, and the reason of an aborted signal
 */
export async function adjustOriginal(
  original: Blob,
  adjustments: Adjustments,
  signal: AbortSignal,
): Promise<Blob> {
  const bitmap = await openBitmap(original, ADJUSTED_SIDE_MAX, signal);
  try {
    signal.throwIfAborted();
    const plan = planAdjusted(bitmap, adjustments);
    return plan ? await draw(bitmap, plan) : original;
  } finally {
    bitmap.close();
  }
}

function draw(bitmap: ImageBitmap, { canvas: size, drawn, orientation }: AdjustedPlan): Promise<Blob> {
  const canvas = new OffscreenCanvas(size.width, size.height);
  const context = canvas.getContext('2d');
  if (!context) throw new DOMException('This browser has no canvas.', 'NotSupportedError');
  const { quarterTurns, isMirrored } = orientation;
  const before = orientedSize(bitmap, orientation);
  context.imageSmoothingQuality = 'high';
  context.translate(size.width / 2, size.height / 2);
  context.scale((isMirrored ? -1 : 1) * (drawn.width / before.width), drawn.height / before.height);
  context.rotate((quarterTurns * Math.PI) / 2);
  context.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2);
  return canvas.convertToBlob({ type: 'image/png' });
}
