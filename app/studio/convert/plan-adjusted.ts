import { isUpright, type Orientation } from '../../../models/kernels/raster/orient-raster.ts';
import { type Adjustments, orientedSize, planResize } from '../../../models/kernels/resize/resize-plan.ts';
import type { DoneState } from '../runs/batch.ts';
import type { Size } from '../stage/view/stage-geometry.ts';

/** Results that are held for a comparison, by the id of their file. Each knows the settings that made it. */
export type HeldResults = ReadonlyMap<number, DoneState>;

/** Plan of a drawing of an original that shows what its result shows. */
export interface AdjustedPlan {
  /** Size of the drawing. A pixel of the original stays as wide as it is, unless that made the drawing too long. */
  readonly canvas: Size;
  /** Size of the whole original around the middle of the drawing, after its turn. */
  readonly drawn: Size;
  readonly orientation: Orientation;
}

/** Longest side at which an original is adjusted, in pixels. More would not be visible next to its result. */
export const ADJUSTED_SIDE_MAX = 4096;

const UPRIGHT: Orientation = { quarterTurns: 0, isMirrored: false };

/**
 * Returns the adjustments that change what an image shows, and leaves out those that change only its size.
 * @returns undefined where the image shows the same
 */
export function visibleAdjustments({
  orientation = UPRIGHT,
  resizing,
}: Adjustments): Adjustments | undefined {
  const changesShape =
    resizing?.by === 'pixels' &&
    resizing.fit !== 'inside' &&
    resizing.width !== undefined &&
    resizing.height !== undefined;
  if (isUpright(orientation) && !changesShape) return undefined;
  return { orientation, ...(changesShape && { resizing }) };
}

/**
 * Plans the drawing of an original whose result was turned, mirrored, cut or distorted.
 * @param size of the original, no longer than `ADJUSTED_SIDE_MAX`
 * @returns null where the original shows the same already, in whatever size
 */
export function planAdjusted(
  size: Size,
  { orientation = UPRIGHT, resizing }: Adjustments,
): AdjustedPlan | null {
  const turned = orientedSize(size, orientation);
  const { scaled, kept } = planResize(turned, resizing);
  const [across, down] = [turned.width / scaled.width, turned.height / scaled.height];
  const isCut = kept.width < scaled.width || kept.height < scaled.height;
  const isDistorted = resizing?.by === 'pixels' && resizing.fit === 'stretch';
  if (isUpright(orientation) && !isCut && !isDistorted) return null;
  if (isDistorted) {
    const sideMax = Math.min(ADJUSTED_SIDE_MAX, Math.max(longest(turned), longest(scaled)));
    const canvas = within({ width: turned.width, height: scaled.height * across }, sideMax);
    return { canvas, drawn: canvas, orientation };
  }
  return { canvas: whole(kept.width * across, kept.height * down), drawn: turned, orientation };
}

const longest = ({ width, height }: Size): number => Math.max(width, height);

/** Rounds a size, and makes one with a longer side smaller in its shape. */
function within(size: Size, sideMax: number): Size {
  const factor = Math.min(1, sideMax / longest(size));
  return whole(size.width * factor, size.height * factor);
}

function whole(width: number, height: number): Size {
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
}

/** Holds a file's result. Held results of files that are gone are dropped. */
export function holdResult(
  held: HeldResults,
  id: number,
  state: DoneState,
  presentIds: readonly number[],
): HeldResults {
  return new Map([...[...held].filter(([each]) => presentIds.includes(each)), [id, state]]);
}

export function dropResult(held: HeldResults, id: number): HeldResults {
  return new Map([...held].filter(([each]) => each !== id));
}

/**
 * Exchanges a file's result for the held one.
 * @returns what is held afterwards, and the result that was; null when none was
 */
export function swapResult(
  held: HeldResults,
  id: number,
  state: DoneState,
): { readonly held: HeldResults; readonly state: DoneState } | null {
  const other = held.get(id);
  return other ? { held: new Map([...held, [id, state]]), state: other } : null;
}
