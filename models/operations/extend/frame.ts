import type { Raster } from '../../core/runtime/raster.ts';
import { extractRegion, type Region } from '../../kernels/raster/crop-raster.ts';
import { type FrameWidths, measureFrame } from './fill/measure-frame.ts';
import type { Extent } from './geometry.ts';

/** Image on its canvas, without the frame of a scan. */
interface Unframed {
  readonly image: Raster;
  readonly extent: Extent;
}

/**
 * Leaves the frame of a scan out of an image, so that no engine continues it.
 * @param original image before it was scaled
 * @param image as large as `extent.kept`
 * @returns the same image and extent where there is no frame, or little else
 */
export function leaveFrameOut(original: Raster, image: Raster, extent: Extent): Unframed {
  const scale = extent.kept.width / original.width;
  const frame = scaleWidths(measureFrame(original), scale);
  const inner: Region = {
    left: frame.left,
    top: frame.top,
    width: image.width - frame.left - frame.right,
    height: image.height - frame.top - frame.bottom,
  };
  const isFramed = inner.width < image.width || inner.height < image.height;
  if (!isFramed || 2 * inner.width < image.width || 2 * inner.height < image.height) return { image, extent };
  const { kept } = extent;
  const place = { ...inner, left: kept.left + inner.left, top: kept.top + inner.top };
  return { image: extractRegion(image, inner), extent: { ...extent, kept: place } };
}

/**
 * Puts the frame back in place on the sides where nothing was added.
 * @param result canvas with the frame painted over, changed in place
 */
export function restoreFrame(
  result: Raster,
  image: Raster,
  extent: Extent,
  { extent: { kept: inner } }: Unframed,
): void {
  const { kept } = extent;
  // From the image's own edge where nothing was added beyond it, else from where the frame ends.
  const left = kept.left === 0 ? 0 : inner.left;
  const right = kept.width + kept.left === extent.width ? extent.width : inner.left + inner.width;
  for (let y = 0; y < image.height; y++) {
    const row = kept.top + y;
    const isFrame = row < inner.top || row >= inner.top + inner.height;
    const isOpen = row < inner.top ? kept.top > 0 : isFrame && kept.top + kept.height < extent.height;
    if (isOpen) continue;
    const from = (y * image.width + left - kept.left) * 4;
    result.data.set(image.data.subarray(from, from + (right - left) * 4), (row * extent.width + left) * 4);
  }
}

/** Scales widths up to the next whole pixel, with one more where pixels were mixed. */
function scaleWidths(widths: FrameWidths, scale: number): FrameWidths {
  const scaled = (width: number) => (width === 0 || scale === 1 ? width : Math.ceil(width * scale) + 1);
  return {
    left: scaled(widths.left),
    right: scaled(widths.right),
    top: scaled(widths.top),
    bottom: scaled(widths.bottom),
  };
}
