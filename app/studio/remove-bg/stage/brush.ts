import type { ImageSize } from '../../../../models/core/runtime/raster.ts';
import type { Stroke } from '../../../../models/operations/remove-bg/strokes.ts';
import { ARROWS, type Box } from '../../stage/stage-geometry.ts';

export type Point = Stroke['points'][number];

export interface Brush {
  readonly mode: Stroke['mode'];
  /**
   * Radius in CSS pixels of the screen: zooming in makes the brush finer on the image, and it keeps its size under the
   * pointer.
   */
  readonly radius: number;
}

export const RADIUS = { min: 2, max: 64, initial: 16, step: 2 } as const;

/** Minimum distance between points, as a share of the brush's radius. */
const SPACING = 0.25;
/** Step of an arrow key, as a share of the brush's radius. */
const KEY_STEP = 0.75;

/** Appends a point, unless it is too close to the last one. */
export function appendPoint(
  points: readonly Point[],
  point: Point,
  radius: number,
  size: ImageSize,
): readonly Point[] {
  const last = points.at(-1);
  if (!last) return [point];
  const side = Math.max(size.width, size.height);
  const distance = Math.hypot((point[0] - last[0]) * size.width, (point[1] - last[1]) * size.height) / side;
  return distance < radius * SPACING ? points : [...points, point];
}

/**
 * Returns where an arrow key moves the brush, within the image.
 * @returns null for another key
 */
export function moveByKey(key: string, [x, y]: Point, radius: number, size: ImageSize): Point | null {
  const arrow = ARROWS[key];
  if (!arrow) return null;
  const step = radius * KEY_STEP * Math.max(size.width, size.height);
  const within = (share: number) => Math.min(1, Math.max(0, share));
  return [within(x + (arrow.x * step) / size.width), within(y + (arrow.y * step) / size.height)];
}

/** Returns the brush, some steps thicker or thinner. */
export function resizeBrush({ mode, radius }: Brush, steps: number): Brush {
  return { mode, radius: Math.min(RADIUS.max, Math.max(RADIUS.min, radius + steps * RADIUS.step)) };
}

/**
 * Colours of strokes: green keeps, red erases; an outline in the other colour distinguishes them without colour
 * vision.
 */
const INKS: Readonly<Record<Brush['mode'], string>> = {
  keep: 'rgb(134 194 154 / 65%)',
  erase: 'rgb(255 90 60 / 65%)',
};

/** Returns the brush's radius as a share of the longer side of an image that is shown in a box. */
export function radiusOn({ width, height }: ImageSize, { radius }: Brush): number {
  return radius / Math.max(width, height);
}

/**
 * Draws strokes and the brush over the whole of a canvas that covers the well.
 * @param box of the image in the well, in CSS pixels
 */
export function drawBrush(
  context: CanvasRenderingContext2D,
  strokes: readonly Stroke[],
  box: Box,
  cursor: { readonly brush: Brush; readonly at: Point } | null,
): void {
  const { left, top, width, height } = box;
  const side = Math.max(width, height);
  context.resetTransform();
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.scale(devicePixelRatio, devicePixelRatio);
  context.translate(left, top);
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const { mode, radius, points } of strokes) {
    context.strokeStyle = INKS[mode];
    context.lineWidth = radius * 2 * side;
    context.beginPath();
    for (const [x, y] of points.length > 1 ? points : [...points, ...points])
      context.lineTo(x * width, y * height);
    context.stroke();
  }
  if (!cursor) return;
  const [x, y] = cursor.at;
  const ring = (lineWidth: number, style: string) => {
    context.lineWidth = lineWidth;
    context.strokeStyle = style;
    context.setLineDash(cursor.brush.mode === 'erase' ? [6, 4] : []);
    context.beginPath();
    context.arc(x * width, y * height, cursor.brush.radius, 0, 2 * Math.PI);
    context.stroke();
  };
  ring(3, 'rgb(0 0 0 / 55%)');
  ring(1.5, '#fff');
  context.setLineDash([]);
}
