import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { type BackdropPosition, coveringSize } from '../../../models/operations/remove-bg/backdrop.ts';
import { clamp, type Point } from '../stage/stage-geometry.ts';

/** Largest size of a background image, relative to the smallest one that covers the canvas. */
export const ZOOM_MAX = 4;

interface BackgroundDrag {
  readonly at: BackdropPosition;
  readonly from: Point;
  readonly to: Point;
  /** Size of the background image in pixels. */
  readonly image: ImageSize;
  /** Box that it covers on the screen. */
  readonly box: ImageSize;
}

/** Returns the position of a background image after a drag, which stays where nothing overhangs. */
export function draggedBackground({ at, from, to, image, box }: BackgroundDrag): BackdropPosition {
  const shown = coveringSize(image, box.width, box.height, at.scale);
  const moved = (share: number, by: number, overhang: number) =>
    overhang < 1 ? share : clamp(share - by / overhang, 0, 1);
  return {
    ...at,
    x: moved(at.x, to.x - from.x, shown.width - box.width),
    y: moved(at.y, to.y - from.y, shown.height - box.height),
  };
}
