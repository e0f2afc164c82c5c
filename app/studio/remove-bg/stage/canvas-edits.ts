import type { ImageSize } from '../../../../models/core/runtime/raster.ts';
import {
  type CanvasChoice,
  NAMED_SIZES,
  type Position,
  type SizeName,
} from '../../../../models/operations/remove-bg/lay-out-subject.ts';
import type { Shadow } from '../../../../models/operations/remove-bg/place-subject.ts';
import type { Placement } from '../../../../models/operations/remove-bg/placement.ts';

/**
 * Canvas of the results: the image's own, the subject's with a margin, or one with a shape or a size. The visitor sets
 * the size of `free`.
 */
export type CanvasSize = 'image' | 'subject' | SizeName | 'free';

/** Canvas and placement that the page's controls set for all images. */
export interface CanvasEdits {
  readonly size: CanvasSize;
  /** Pixels of a `free` canvas. Edits that an earlier version kept have none. */
  readonly freeSize?: ImageSize;
  /** Share of the canvas's shorter side; without effect on the image's own canvas. */
  readonly margin: number;
  /** Null where the subject stays in its place, or in the middle of a separate canvas. */
  readonly position: Position | null;
  readonly shadow: Shadow['kind'] | 'none';
  readonly strength: number;
}

export const IN_PLACE: CanvasEdits = {
  size: 'image',
  margin: 0.08,
  position: null,
  shadow: 'none',
  strength: 0.5,
};

/** Pixels of a `free` canvas until others are given: a portrait of 4:5. */
const FREE_SIZE: ImageSize = { width: 1080, height: 1350 };

/** Returns the pixels of a `free` canvas. */
export const getFreeSize = ({ freeSize = FREE_SIZE }: CanvasEdits): ImageSize => freeSize;

/** Placements by the edits they come from: edits are compared by reference. */
const placements = new WeakMap<CanvasEdits, Placement>();

/** Returns the placement of edits; null where subjects stay in their images, without a shadow. */
export function getPlacement(edits: CanvasEdits): Placement | null {
  const { size, margin, position, shadow, strength } = edits;
  if (size === 'image' && !position && shadow === 'none') return null;
  const known = placements.get(edits);
  if (known) return known;
  const placement: Placement = {
    layout: {
      canvas: getCanvas(edits),
      margin: size === 'image' ? undefined : margin,
      position: position ?? undefined,
    },
    shadow: shadow === 'none' ? null : { kind: shadow, strength },
  };
  placements.set(edits, placement);
  return placement;
}

function getCanvas(edits: CanvasEdits): CanvasChoice | undefined {
  const { size } = edits;
  if (size === 'image' || size === 'subject') return undefined;
  return size === 'free' ? { kind: 'exact', ...getFreeSize(edits) } : NAMED_SIZES[size];
}
