import { CANVAS_SIDE_MAX, type CanvasChoice, type LayoutOptions } from './placement/lay-out-subject.ts';
import type { Shadow } from './placement/place-subject.ts';

/** Shapes and sizes by their names. A shape takes its pixels from the subject. */
export const NAMED_SIZES = {
  square: { kind: 'ratio', width: 1, height: 1 },
  '4:5': { kind: 'ratio', width: 4, height: 5 },
  '9:16': { kind: 'ratio', width: 9, height: 16 },
  /** As most online shops ask for. */
  marketplace: { kind: 'exact', width: 2000, height: 2000 },
  /** Photo of 35 mm x 45 mm (ICAO Doc 9303). */
  passport: { kind: 'ratio', width: 35, height: 45 },
} as const satisfies Readonly<Record<string, CanvasChoice>>;

export type SizeName = keyof typeof NAMED_SIZES;

/** Shortest side of a canvas, in pixels. */
export const SIDE_MIN = 16;

/** Parses the `size` of a request; null for anything else. */
export function parseSize(text: string): CanvasChoice | null {
  if (isSizeName(text)) return NAMED_SIZES[text];
  const [, width = '', height = ''] = /^(\d{1,5})x(\d{1,5})$/.exec(text) ?? [];
  const sides = [Number(width), Number(height)];
  if (sides.some((side) => side < SIDE_MIN || side > CANVAS_SIDE_MAX)) return null;
  return { kind: 'exact', width: Number(width), height: Number(height) };
}

function isSizeName(text: string): text is SizeName {
  return Object.hasOwn(NAMED_SIZES, text);
}

/** Largest margin, as a share of the canvas's shorter side. */
export const MARGIN_MAX = 0.45;
export const SCALE_RANGE = { min: 0.05, max: 8 } as const;

/** Placement of the subject on a canvas: what a request or the page's controls ask for. */
export interface Placement {
  readonly layout: LayoutOptions;
  readonly shadow: Shadow | null;
}
