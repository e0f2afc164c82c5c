import type { Raster8 } from '../../core/runtime/raster.ts';
import { extractRegion } from '../../kernels/raster/crop.ts';
import { scaleRaster } from '../../kernels/raster/scale-raster.ts';
import type { Layout } from './lay-out-subject.ts';

/** Subject at about the size that it has on its canvas, with the way from the canvas's pixels to its own. */
export interface Stamp {
  readonly raster: Raster8;
  readonly map: StampMap;
}

/** Similarity that takes the centres of a canvas's pixels to a stamp's. */
export interface StampMap {
  readonly centre: { readonly x: number; readonly y: number };
  /** Cosine and sine of the angle, over the pixels of the canvas per pixel of the stamp. */
  readonly across: number;
  readonly down: number;
  /** Whether each pixel of the stamp is one of the canvas. */
  readonly isExact: boolean;
}

/**
 * Cuts the subject out of its image and scales it. Memory: as many pixels as the image or the canvas has; a subject
 * that is larger than its canvas keeps the rest of its scale for the map.
 */
export function makeStamp(cutout: Raster8, layout: Layout): Stamp {
  const { box, scale } = layout;
  const whole = box.width === cutout.width && box.height === cutout.height;
  const cropped = whole ? cutout : extractRegion(cutout, box);
  const most = Math.sqrt((layout.width * layout.height) / (box.width * box.height));
  const made = Math.min(scale, Math.max(1, most));
  const width = Math.max(1, Math.round(box.width * made));
  const height = Math.max(1, Math.round(box.height * made));
  const raster = scaleRaster(cropped, width, height);
  return { raster, map: mapToStamp(raster, layout, made) };
}

/**
 * Returns the map from a canvas to a raster of its subject.
 * @param made pixels of the raster per pixel of the image
 */
export function mapToStamp(
  { width, height }: { readonly width: number; readonly height: number },
  { scale, angle, centre }: Layout,
  made: number,
): StampMap {
  const isExact = made === scale && angle === 0;
  const radians = (angle * Math.PI) / 180;
  const whole = (at: number, side: number) => Math.round(at - side / 2) + side / 2;
  return {
    centre: isExact ? { x: whole(centre.x, width), y: whole(centre.y, height) } : centre,
    across: (Math.cos(radians) * made) / scale,
    down: (Math.sin(radians) * made) / scale,
    isExact,
  };
}

/** Returns the map of a canvas and a stamp that are both shown smaller. */
export function shrinkMap(map: StampMap, canvasScale: number, stampScale: number): StampMap {
  const { centre, across, down } = map;
  return {
    centre: { x: centre.x * canvasScale, y: centre.y * canvasScale },
    across: (across * stampScale) / canvasScale,
    down: (down * stampScale) / canvasScale,
    isExact: false,
  };
}

/**
 * Writes a row of a stamp on its canvas: red, green, blue premultiplied, and alpha, each 0 to 1.
 * @param row of the canvas; 0 where the stamp is not
 */
export function stampRow({ raster, map }: Stamp, y: number, row: Float32Array): void {
  row.fill(0);
  const { width, height, data } = raster;
  const { centre, across, down, isExact } = map;
  const below = y + 0.5 - centre.y;
  const last = row.length / 4;
  if (isExact) {
    const from = Math.round(below + height / 2 - 0.5);
    if (from < 0 || from >= height) return;
    const left = Math.round(centre.x - width / 2);
    for (let x = Math.max(0, left); x < Math.min(last, left + width); x++) {
      addPixel(data, (from * width + x - left) * 4, 1, row, x * 4);
    }
    return;
  }
  for (let x = 0; x < last; x++) {
    const right = x + 0.5 - centre.x;
    const u = right * across + below * down + width / 2 - 0.5;
    const v = below * across - right * down + height / 2 - 0.5;
    if (u > -1 && v > -1 && u < width && v < height) addSample(raster, u, v, row, x * 4);
  }
}

/** Adds a pixel between four others; beyond the border lies nothing. */
function addSample(
  { width, height, data }: Raster8,
  u: number,
  v: number,
  row: Float32Array,
  to: number,
): void {
  const [left, top] = [Math.floor(u), Math.floor(v)];
  const [right, lower] = [u - left, v - top];
  for (let corner = 0; corner < 4; corner++) {
    const x = left + (corner & 1);
    const y = top + (corner >> 1);
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    const share = (corner & 1 ? right : 1 - right) * (corner >> 1 ? lower : 1 - lower);
    addPixel(data, (y * width + x) * 4, share, row, to);
  }
}

function addPixel(data: Uint8Array, from: number, share: number, row: Float32Array, to: number): void {
  const alpha = (data[from + 3] / 255) * share;
  if (alpha === 0) return;
  for (let channel = 0; channel < 3; channel++) {
    row[to + channel] = row[to + channel] + (data[from + channel] / 255) * alpha;
  }
  row[to + 3] = row[to + 3] + alpha;
}
