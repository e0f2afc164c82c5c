import type { Position } from '../../../../models/kernels/placement/lay-out-subject.ts';
import type { Shadow } from '../../../../models/kernels/placement/place-subject.ts';
import { NAMED_SIZES, type Placement, type SizeName } from '../../../../models/remove-bg/canvas-sizes.ts';

/** Canvas of the results: the image's own, the subject's with a margin, or one with a shape or a size. */
export type CanvasSize = 'image' | 'subject' | SizeName;

/** Canvas and placement that the page's controls set for all images. */
export interface CanvasEdits {
  readonly size: CanvasSize;
  /** Share of the canvas's shorter side; without effect on the image's own canvas. */
  readonly margin: number;
  /** Null where the subject stays in its place, or in the middle of a canvas of its own. */
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

/** Placements by the edits they come from: edits are compared by reference. */
const placements = new WeakMap<CanvasEdits, Placement>();

/** Returns the placement of edits; null where subjects stay in their images, without a shadow. */
export function placementOf(edits: CanvasEdits): Placement | null {
  const { size, margin, position, shadow, strength } = edits;
  if (size === 'image' && !position && shadow === 'none') return null;
  const known = placements.get(edits);
  if (known) return known;
  const placement: Placement = {
    layout: {
      canvas: size === 'image' || size === 'subject' ? undefined : NAMED_SIZES[size],
      margin: size === 'image' ? undefined : margin,
      position: position ?? undefined,
    },
    shadow: shadow === 'none' ? null : { kind: shadow, strength },
  };
  placements.set(edits, placement);
  return placement;
}
