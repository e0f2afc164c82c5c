import type { Raster8 } from '../../core/runtime/raster.ts';
import type { Backdrop } from './backdrop/backdrop.ts';
import type { Placement } from './canvas-sizes.ts';
import { abortCheck } from './matte/cut-out.ts';
import { alphaBox } from './placement/alpha-box.ts';
import { layOutSubject } from './placement/lay-out-subject.ts';
import { placeSubject } from './placement/place-subject.ts';

interface Canvas {
  readonly width: number;
  readonly height: number;
}

/**
 * Places the subject of a transparent cutout on a canvas.
 * @param readBackdrop returns the backdrop of a canvas; null leaves it transparent
 */
export async function placeCutout(
  cutout: Raster8,
  { layout: options, shadow }: Placement,
  { signal }: { readonly signal: AbortSignal },
  readBackdrop: (canvas: Canvas) => Promise<Backdrop | null>,
): Promise<Raster8> {
  const layout = layOutSubject(cutout, alphaBox(cutout), options);
  const backdrop = await readBackdrop(layout);
  return placeSubject(cutout, layout, { shadow, backdrop, onRow: abortCheck(signal) });
}
