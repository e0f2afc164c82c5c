import type { Raster8 } from '../../core/runtime/raster.ts';
import { LineSampler, lerp } from '../../kernels/raster/line-sampler.ts';
import type { Backdrop } from './backdrop.ts';
import { castShadow, type ShadowKind } from './cast-shadow.ts';
import type { Layout } from './lay-out-subject.ts';
import { makeStamp, stampRow } from './stamp.ts';

export interface Shadow {
  readonly kind: ShadowKind;
  /** Opacity of its darkest part, 0 to 1. */
  readonly strength: number;
}

export interface PlaceOptions {
  readonly shadow: Shadow | null;
  /** Background of the canvas's size; null leaves the canvas transparent. */
  readonly backdrop: Backdrop | null;
  /** Called before each row; may throw to abort. */
  readonly onRow: (y: number) => void;
}

/**
 * Places the subject of a transparent cutout on a canvas: backdrop, shadow, subject, by the operator over of Porter and
 * Duff. A subject at its own size keeps its pixels. Memory: the cutout, the scaled subject, the canvas.
 */
export function placeSubject(
  cutout: Raster8,
  layout: Layout,
  { shadow, backdrop, onRow }: PlaceOptions,
): Raster8 {
  const { width, height } = layout;
  const stamp = makeStamp(cutout, layout);
  const map = shadow && castShadow(stamp, layout, shadow.kind);
  const shade = map && new LineSampler(map, width, height);
  const data = new Uint8Array(width * height * 4);
  const above = new Float32Array(width * 4);
  const below = new Float32Array(width * 4);
  for (let y = 0; y < height; y++) {
    onRow(y);
    stampRow(stamp, y, above);
    if (backdrop) backdrop.paint(y, below);
    else below.fill(0);
    if (shade && shadow) shadeRow(below, shade, y, shadow.strength);
    coverRow(above, below, data.subarray(y * width * 4, (y + 1) * width * 4));
  }
  return { width, height, data };
}

/** Covers a row, with straight alpha, by black of the shadow's opacity. */
function shadeRow(row: Float32Array, shade: LineSampler, y: number, strength: number): void {
  shade.seek(y);
  for (let x = 0, at = 0; at < row.length; x++, at += 4) {
    const dark = lerp(shade.line, shade.left[x], 1, shade.share[x]) * strength;
    if (dark <= 0) continue;
    const before = row[at + 3];
    const alpha = dark + before * (1 - dark);
    const kept = (before * (1 - dark)) / alpha;
    for (let channel = at; channel < at + 3; channel++) row[channel] = row[channel] * kept;
    row[at + 3] = alpha;
  }
}

/**
 * Covers a row by another, and writes the result with 8 bits and straight alpha.
 * @param above premultiplied
 * @param below with straight alpha
 */
function coverRow(above: Float32Array, below: Float32Array, to: Uint8Array): void {
  for (let at = 0; at < to.length; at += 4) {
    const opacity = above[at + 3];
    const left = below[at + 3] * (1 - opacity);
    const alpha = opacity + left;
    if (alpha <= 0) continue;
    for (let channel = at; channel < at + 3; channel++) {
      const colour = (above[channel] + below[channel] * left) / alpha;
      to[channel] = Math.round(Math.min(1, colour) * 255);
    }
    to[at + 3] = Math.round(Math.min(1, alpha) * 255);
  }
}
