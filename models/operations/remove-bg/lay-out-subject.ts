import type { ImageSize, PixelRegion, Raster8 } from '../../core/runtime/raster.ts';
import { scaleRegion } from '../../kernels/raster/crop.ts';

/** Alpha out of 255 from which a pixel is visible: the rims of soft edges are not. */
const VISIBLE_FROM = 13;

/** Canvas of a placed subject: exact pixels, or a shape that takes its pixels from the subject. */
export type CanvasChoice =
  | ({ readonly kind: 'exact' } & ImageSize)
  | ({ readonly kind: 'ratio' } & ImageSize);

/** Place of a subject on its canvas. */
export interface Position {
  /** Centre of the subject's bounding box, 0 to 1 over the canvas. */
  readonly x: number;
  readonly y: number;
  /** Size relative to that which fits the canvas, or to the image where no size or margin is chosen. */
  readonly scale: number;
  /** Degrees, clockwise. */
  readonly angle: number;
}

export interface LayoutOptions {
  readonly canvas?: CanvasChoice | undefined;
  /** Free space at each side at least, 0 to 0.45 of the canvas's shorter side. */
  readonly margin?: number | undefined;
  readonly position?: Position | undefined;
}

/** Canvas with the place of a subject on it, in pixels. */
export interface Layout extends ImageSize {
  /** Bounding box of the subject in its image. */
  readonly box: PixelRegion;
  /** Pixels of the canvas per pixel of the image. */
  readonly scale: number;
  readonly centre: { readonly x: number; readonly y: number };
  /** Degrees, clockwise. */
  readonly angle: number;
}

/**
 * Shapes and sizes by their names. A shape takes its pixels from the subject. They stand apart from the schema, so that
 * no page bundle contains zod.
 */
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
/** Longest side of a canvas, in pixels. */
export const CANVAS_SIDE_MAX = 8000;
/** Largest margin, as a share of the canvas's shorter side. */
export const MARGIN_MAX = 0.45;
export const SCALE_RANGE = { min: 0.05, max: 8 } as const;
/** Margin where a size is chosen and no margin: online shops ask for a subject that fills about 85 % of its picture. */
const USUAL_MARGIN = 0.075;
const CENTRED: Position = { x: 0.5, y: 0.5, scale: 1, angle: 0 };
/** Distance from an edge of the image up to which a subject is cut off there, as a share of the image's side. */
const CUT_SHARE = 0.01;

/** Free space at both sides, above and below, as shares of the canvas's shorter side. */
interface Room {
  readonly across: number;
  readonly down: number;
  /** Whether the subject stands on the lower edge. */
  readonly isGrounded: boolean;
}

/**
 * Lays a subject out: without a canvas and a margin, its image is the canvas; with a margin alone, the canvas is the
 * subject with that margin. A shape becomes the smallest canvas that holds the subject at its own size. On a canvas with a
 * shape or a size, a portrait that its image cuts off below stands on the lower edge: it would float otherwise.
 */
export function layOutSubject(
  image: ImageSize,
  box: PixelRegion,
  { canvas, margin, position }: LayoutOptions,
): Layout {
  const isFitted = canvas !== undefined || margin !== undefined;
  const room = getRoom(image, box, margin ?? USUAL_MARGIN, canvas);
  const { width, height } = isFitted ? canvasAround(box, room, canvas) : image;
  const shorter = isFitted ? Math.min(width, height) : 0;
  const fit = isFitted
    ? Math.min((width - room.across * shorter) / box.width, (height - room.down * shorter) / box.height)
    : 1;
  // A canvas that was rounded to whole pixels leaves a subject at its own size.
  const own = canvas?.kind === 'exact' || Math.max(width, height) === CANVAS_SIDE_MAX ? fit : 1;
  const standing = 1 - (own * box.height) / 2 / height;
  const { x, y, scale, angle } = position ?? { ...CENTRED, y: room.isGrounded ? standing : CENTRED.y };
  const isPlaced = position !== undefined || isFitted;
  return {
    width,
    height,
    box,
    scale: own * scale,
    centre: isPlaced
      ? { x: x * width, y: y * height }
      : { x: box.left + box.width / 2, y: box.top + box.height / 2 },
    angle,
  };
}

/** Returns the room around a subject. One that is cut off below has none there, nor at a side that cuts it off, too. */
function getRoom(image: ImageSize, box: PixelRegion, margin: number, canvas: CanvasChoice | undefined): Room {
  const isCut = (gap: number, side: number) => gap <= CUT_SHARE * side;
  const isGrounded = canvas !== undefined && isCut(image.height - box.top - box.height, image.height);
  const isWide = isCut(box.left, image.width) || isCut(image.width - box.left - box.width, image.width);
  return {
    across: isGrounded && isWide ? 0 : 2 * margin,
    down: isGrounded ? margin : 2 * margin,
    isGrounded,
  };
}

function canvasAround(box: PixelRegion, room: Room, canvas: CanvasChoice | undefined): ImageSize {
  if (canvas?.kind === 'exact') return canvas;
  const { width, height } = canvas ? shapeAround(box, room, canvas) : frameAround(box, room);
  const scale = Math.min(1, CANVAS_SIDE_MAX / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Adds the margin at each side of a box. */
function frameAround({ width, height }: ImageSize, { across }: Room): ImageSize {
  const shorter = Math.min(width, height) / (1 - across);
  return { width: width + across * shorter, height: height + across * shorter };
}

/** Returns the smallest canvas of a shape that holds a box with its room. */
function shapeAround(box: ImageSize, room: Room, ratio: ImageSize): ImageSize {
  const unit = Math.min(ratio.width, ratio.height);
  const [across, down] = [ratio.width / unit, ratio.height / unit];
  const shorter = Math.max(box.width / (across - room.across), box.height / (down - room.down));
  return { width: across * shorter, height: down * shorter };
}

/**
 * Returns the layout of a smaller view: of the canvas, and of the image with its box.
 * @param canvas pixels of the view per pixel of the canvas
 * @param image pixels of the smaller image per pixel of the image
 */
export function shrinkLayout(layout: Layout, canvas: number, image: number): Layout {
  const { width, height, box, scale, centre, angle } = layout;
  return {
    width: Math.max(1, Math.round(width * canvas)),
    height: Math.max(1, Math.round(height * canvas)),
    box: scaleRegion(box, image),
    scale: (scale * canvas) / image,
    centre: { x: centre.x * canvas, y: centre.y * canvas },
    angle,
  };
}

/** Returns the bounding box of the visible pixels; of all pixels where none is visible. */
export function alphaBox({ width, height, data }: Raster8): PixelRegion {
  let [left, right, top, bottom] = [width, -1, -1, -1];
  for (let y = 0; y < height; y++) {
    const start = y * width * 4 + 3;
    let first = 0;
    while (first < width && data[start + first * 4] < VISIBLE_FROM) first++;
    if (first === width) continue;
    let last = width - 1;
    while (data[start + last * 4] < VISIBLE_FROM) last--;
    left = Math.min(left, first);
    right = Math.max(right, last);
    if (top < 0) top = y;
    bottom = y;
  }
  if (right < 0) return { left: 0, top: 0, width, height };
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}
