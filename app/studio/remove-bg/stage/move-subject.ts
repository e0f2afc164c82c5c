import { type Position, SCALE_RANGE } from '../../../../models/operations/remove-bg/lay-out-subject.ts';
import { clamp, type Point } from '../../stage/stage-geometry.ts';

/** Part of the subject's frame that a pointer holds. */
export type Grip = 'move' | 'scale' | 'turn';

/** Step of an arrow key, as a share of the canvas; of other keys, as a factor and in degrees. */
const STEP = { move: 0.01, moveFar: 0.1, scale: 1.05, turn: 5 } as const;
/** Angles that a turn by hand falls into, in degrees, and from how near. */
const UPRIGHT = { every: 90, within: 3 } as const;

interface Drag {
  readonly at: Position;
  readonly from: Point;
  readonly to: Point;
  /** Middle of the subject when the drag began, for scaling and turning. */
  readonly centre: Point;
  readonly box: { readonly width: number; readonly height: number };
}

/** Returns the position after a drag by a grip. */
export function dragged(grip: Grip, { at, from, to, centre, box }: Drag): Position {
  switch (grip) {
    case 'move':
      return {
        ...at,
        x: clamp(at.x + (to.x - from.x) / box.width, 0, 1),
        y: clamp(at.y + (to.y - from.y) / box.height, 0, 1),
      };
    case 'scale': {
      const before = Math.hypot(from.x - centre.x, from.y - centre.y);
      const after = Math.hypot(to.x - centre.x, to.y - centre.y);
      return { ...at, scale: boundedScale((at.scale * after) / Math.max(1, before)) };
    }
    case 'turn': {
      const direction = ({ x, y }: Point) => Math.atan2(y - centre.y, x - centre.x);
      return { ...at, angle: upright(at.angle + ((direction(to) - direction(from)) * 180) / Math.PI) };
    }
  }
}

/** Returns the position after a key; null for a key without a meaning. */
export function movedByKey(key: string, isFar: boolean, at: Position): Position | null {
  const step = isFar ? STEP.moveFar : STEP.move;
  switch (key) {
    case 'ArrowLeft':
      return { ...at, x: clamp(at.x - step, 0, 1) };
    case 'ArrowRight':
      return { ...at, x: clamp(at.x + step, 0, 1) };
    case 'ArrowUp':
      return { ...at, y: clamp(at.y - step, 0, 1) };
    case 'ArrowDown':
      return { ...at, y: clamp(at.y + step, 0, 1) };
    case '+':
      return { ...at, scale: boundedScale(at.scale * STEP.scale) };
    case '-':
      return { ...at, scale: boundedScale(at.scale / STEP.scale) };
    case '[':
      return { ...at, angle: wrapped(at.angle - STEP.turn) };
    case ']':
      return { ...at, angle: wrapped(at.angle + STEP.turn) };
    default:
      return null;
  }
}

function boundedScale(scale: number): number {
  return clamp(scale, SCALE_RANGE.min, SCALE_RANGE.max);
}

/** Brings an angle to -180 to 180 degrees. */
function wrapped(angle: number): number {
  return ((((angle + 180) % 360) + 360) % 360) - 180;
}

function upright(angle: number): number {
  const nearest = Math.round(angle / UPRIGHT.every) * UPRIGHT.every;
  return wrapped(Math.abs(angle - nearest) <= UPRIGHT.within ? nearest : angle);
}
