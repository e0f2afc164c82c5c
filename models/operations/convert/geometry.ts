import { fieldError } from '../../core/operation/errors.ts';
import type { Geometry, ImageSize, PixelRegion, Raster, Rgba } from '../../core/runtime/raster.ts';
import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';
import { parseColour } from '../../kernels/colour/css-colour.ts';
import { extractRegion } from '../../kernels/raster/crop.ts';
import { findAttention, type Point } from '../../kernels/raster/find-attention.ts';
import { orientRaster } from '../../kernels/raster/orient-raster.ts';
import { getTarget, type ListedFormat } from '../../media/image/find-format.ts';
import type { ConvertParams } from './schema.ts';

/** Limit on the pixels of a result whose geometry changes, in all its frames. */
const RESULT_PIXELS_MAX = 100_000_000;
/** Limit on the pixels of an image that is scaled to be cut. */
const SCALED_PIXELS_MAX = 400_000_000;

/** Longest side at which an image is searched for what draws attention. */
export const FOCUS_SIDE_MAX = 256;

const TRANSPARENT: Rgba = [0, 0, 0, 0];
const OPAQUE_WHITE: Rgba = [1, 1, 1, 1];

const TURNS = { 90: 1, 180: 2, 270: 3 } as const;

/** Share of the free space before the image, across and down; `attention` is found in the image. */
const GRAVITIES = {
  centre: [0.5, 0.5],
  attention: [0.5, 0.5],
  north: [0.5, 0],
  northeast: [1, 0],
  east: [1, 0.5],
  southeast: [1, 1],
  south: [0.5, 1],
  southwest: [0, 1],
  west: [0, 0.5],
  northwest: [0, 0],
} as const;

/** Image whose geometry is planned: its upright size, and the frames that a result can have. */
export interface PlannedImage extends ImageSize {
  readonly frameCount: number;
}

export interface GeometryPlan {
  /** Size of the result. */
  readonly size: ImageSize;
  /** Absent where nothing changes. */
  readonly geometry?: Geometry;
  readonly warnings: readonly RunWarning[];
}

/** Image after crop and turn, before it is scaled. */
interface Prepared {
  readonly crop: PixelRegion | null;
  readonly orientation: Geometry['orientation'];
  readonly turned: ImageSize;
}

/** Sizes of a result: what it is scaled to, what stays of that, and where that lies on the canvas. */
type Layout = Pick<Geometry, 'scaled' | 'kept' | 'canvas'>;

/**
 * Plans the geometry of a result.
 * @param attention where the cropped and turned image draws attention, for the gravity of that name; the centre if absent
 * @throws OperationError `bad_request` naming the field: a crop outside of the image, a result that is too large
 */
export function planGeometry(image: PlannedImage, params: ConvertParams, attention?: Point): GeometryPlan {
  const target = getTarget(params.to_format);
  const { crop, orientation, turned } = prepare(image, params);
  const { isHeld, ...layout } = lay(turned, params, attention);
  const size = { width: layout.canvas.width, height: layout.canvas.height };
  const background = readColour(params.background);
  const geometry = { crop, orientation, ...layout, background, pad: getPad(params, target, background) };
  const isChanged = changesGeometry(image, geometry);
  assertSize(size, { ...params, target, isChanged, frameCount: target.holds.several ? image.frameCount : 1 });
  return {
    size,
    ...(isChanged && { geometry }),
    warnings: isHeld ? [formatWarning('not_enlarged', describe(turned))] : [],
  };
}

/**
 * Crops and turns an image in thought.
 * @throws OperationError `bad_request` when the crop reaches outside of the image
 */
function prepare({ width, height }: ImageSize, { crop, rotate, flip }: ConvertParams): Prepared {
  const whole = { left: 0, top: 0, width, height };
  const region = crop ? { left: crop.x, top: crop.y, width: crop.width, height: crop.height } : whole;
  if (region.left + region.width > width || region.top + region.height > height) {
    throw fieldError(
      'crop',
      `must lie within the image, which has ${width} x ${height} pixels when upright.`,
    );
  }
  const turns = (rotate === undefined ? 0 : TURNS[rotate]) + (flip === 'vertical' ? 2 : 0);
  const quarterTurns = (turns % 4) as 0 | 1 | 2 | 3;
  const isOnSide = quarterTurns % 2 === 1;
  return {
    crop: region.width === width && region.height === height ? null : region,
    // A vertical mirror is a half turn and a horizontal one.
    orientation: { quarterTurns, isMirrored: flip !== undefined },
    turned: isOnSide
      ? { width: region.height, height: region.width }
      : { width: region.width, height: region.height },
  };
}

/**
 * Finds where the cropped and turned image draws attention.
 * @param small the image, reduced to about `FOCUS_SIDE_MAX`
 */
export function locateAttention(small: Raster, image: ImageSize, params: ConvertParams): Point {
  const { crop, orientation, turned } = prepare(image, params);
  const raster = orientRaster(
    crop ? extractRegion(small, scaleCrop(crop, image, small)) : small,
    orientation,
  );
  const { width = 1, height = 1 } = params;
  const scale = Math.max(width / turned.width, height / turned.height);
  const share = (side: number, whole: number) => Math.min(1, side / (whole * scale));
  return findAttention(raster, { width: share(width, turned.width), height: share(height, turned.height) });
}

/** Returns a part of an image as it lies in a reduced one. */
function scaleCrop(crop: PixelRegion, from: ImageSize, to: ImageSize): PixelRegion {
  const [across, down] = [to.width / from.width, to.height / from.height];
  const [left, top] = [Math.floor(crop.left * across), Math.floor(crop.top * down)];
  const width = Math.min(to.width - left, Math.max(1, Math.round(crop.width * across)));
  const height = Math.min(to.height - top, Math.max(1, Math.round(crop.height * down)));
  return { left, top, width, height };
}

/** Reads a colour of checked params. */
export function readColour(text: string | undefined): Rgba | null {
  return text === undefined ? null : parseColour(text);
}

/** Lays a turned image out. `isHeld`: it would have grown, had that been allowed. */
function lay(
  turned: ImageSize,
  { width, height, fit = 'inside', gravity = 'centre', enlarge }: ConvertParams,
  attention: Point | undefined,
): Layout & { readonly isHeld: boolean } {
  if (width === undefined && height === undefined) return { ...wholeLayout(turned), isHeld: false };
  const across = width === undefined ? Number.POSITIVE_INFINITY : width / turned.width;
  const down = height === undefined ? Number.POSITIVE_INFINITY : height / turned.height;
  if (width === undefined || height === undefined || fit === 'inside' || fit === 'contain') {
    const asked = Math.min(across, down);
    const isHeld = asked > 1 && !enlarge;
    const scaled = scaleBy(turned, isHeld ? 1 : asked);
    if (fit !== 'contain' || width === undefined || height === undefined)
      return { ...wholeLayout(scaled), isHeld };
    const [left, top] = placeBy(gravity, width - scaled.width, height - scaled.height);
    return { scaled, kept: { left: 0, top: 0, ...scaled }, canvas: { left, top, width, height }, isHeld };
  }
  const box = enlarge
    ? { width, height }
    : { width: Math.min(width, turned.width), height: Math.min(height, turned.height) };
  const isCut = box.width < width || box.height < height;
  if (fit === 'fill') return { ...wholeLayout(box), isHeld: isCut };
  const scale = Math.max(box.width / turned.width, box.height / turned.height);
  const scaled = scaleBy(turned, scale);
  if (scaled.width * scaled.height > SCALED_PIXELS_MAX) {
    throw fieldError(
      'fit',
      `cover would scale the image to ${describe(scaled)} pixels before it is cut. Crop it first.`,
    );
  }
  const free = [scaled.width - box.width, scaled.height - box.height] as const;
  const [left, top] =
    gravity === 'attention' && attention
      ? [around(attention.x, scaled.width, box.width), around(attention.y, scaled.height, box.height)]
      : placeBy(gravity, ...free);
  return { scaled, kept: { left, top, ...box }, canvas: { left: 0, top: 0, ...box }, isHeld: isCut };
}

function wholeLayout(size: ImageSize): Layout {
  const whole = { left: 0, top: 0, ...size };
  return { scaled: size, kept: whole, canvas: whole };
}

function scaleBy({ width, height }: ImageSize, factor: number): ImageSize {
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

function placeBy(gravity: keyof typeof GRAVITIES, across: number, down: number): readonly [number, number] {
  const [left, top] = GRAVITIES[gravity];
  return [Math.round(across * left), Math.round(down * top)];
}

/** Returns the start of a part of a side around a point of it. */
function around(point: number, whole: number, part: number): number {
  return Math.min(whole - part, Math.max(0, Math.round(point * whole - part / 2)));
}

/** Returns the colour of the canvas, over the background already. */
function getPad({ pad_color }: ConvertParams, { holds }: ListedFormat, background: Rgba | null): Rgba {
  const asked = readColour(pad_color) ?? (holds.alpha ? TRANSPARENT : OPAQUE_WHITE);
  const shown = holds.alpha ? asked : blend(asked, background ?? OPAQUE_WHITE);
  return background ? blend(shown, background) : shown;
}

/** Lays a colour over another (source-over). */
function blend(over: Rgba, under: Rgba): Rgba {
  const shown = (1 - over[3]) * under[3];
  const alpha = over[3] + shown;
  if (alpha === 0) return TRANSPARENT;
  const mix = (channel: 0 | 1 | 2) => (over[channel] * over[3] + under[channel] * shown) / alpha;
  return [mix(0), mix(1), mix(2), alpha];
}

function changesGeometry(
  image: ImageSize,
  { crop, orientation, scaled, kept, canvas, background }: Geometry,
): boolean {
  const sizes = [crop ?? image, scaled, kept, canvas];
  return (
    background !== null ||
    orientation.quarterTurns !== 0 ||
    orientation.isMirrored ||
    sizes.some(({ width, height }) => width !== image.width || height !== image.height)
  );
}

interface SizedResult extends Pick<ConvertParams, 'to_format' | 'width' | 'height'> {
  readonly target: ListedFormat;
  readonly isChanged: boolean;
  readonly frameCount: number;
}

function assertSize(
  size: ImageSize,
  { target, to_format, isChanged, frameCount, ...params }: SizedResult,
): void {
  const { sideMax = Number.POSITIVE_INFINITY } = target;
  const field = params.width !== undefined ? 'width' : params.height !== undefined ? 'height' : 'to_format';
  if (Math.max(size.width, size.height) > sideMax) {
    throw fieldError(
      field,
      `${field === 'to_format' ? '' : 'to_format '}${to_format} holds at most ${sideMax} pixels per side, but the result would have ${describe(size)}. Choose png, tiff or heic, or a smaller size.`,
      { kind: 'too_large_for_format' },
    );
  }
  const pixels = size.width * size.height * frameCount;
  if (isChanged && pixels > RESULT_PIXELS_MAX) {
    const frames = frameCount > 1 ? `${frameCount} frames of ` : '';
    throw fieldError(
      field,
      `the result would have ${frames}${describe(size)} pixels. At most 100 megapixels are allowed. Choose a smaller size.`,
    );
  }
}

function describe({ width, height }: ImageSize): string {
  return `${width} x ${height}`;
}
