import { fieldError } from '../../core/operation/errors.ts';
import type { ImageSize, PixelRegion } from '../../core/runtime/raster.ts';

/** Params that decide where the image lies in its result. */
export interface ExtentParams {
  readonly expand_left: number;
  readonly expand_right: number;
  readonly expand_top: number;
  readonly expand_bottom: number;
  readonly zoom_out_percentage?: number | undefined;
  /** Shape of the canvas, in place of margins. */
  readonly aspect_ratio?: AspectRatio | undefined;
}

/** Shapes of a canvas, width to height. */
export const ASPECT_RATIOS = {
  '1:1': 1,
  '4:5': 4 / 5,
  '3:2': 3 / 2,
  '16:9': 16 / 9,
  '9:16': 9 / 16,
} as const;
export type AspectRatio = keyof typeof ASPECT_RATIOS;

/** Pixels added on each side. */
export interface Margins {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Reports whether an image has a shape, as exactly as whole pixels can: 852 x 480 is 16:9. */
function hasShape({ width, height }: ImageSize, ratio: number): boolean {
  return Math.abs(width - height * ratio) < 1 || Math.abs(height - width / ratio) < 1;
}

/** Returns the smallest margins that give an image a shape, the same on both sides to a pixel. */
export function marginsFor({ width, height }: ImageSize, shape: AspectRatio): Margins {
  const ratio = ASPECT_RATIOS[shape];
  if (hasShape({ width, height }, ratio)) return { left: 0, right: 0, top: 0, bottom: 0 };
  const isWider = width / height < ratio;
  const added = isWider ? Math.round(height * ratio) - width : Math.round(width / ratio) - height;
  const [first, second] = [Math.floor(added / 2), Math.ceil(added / 2)];
  return isWider
    ? { left: first, right: second, top: 0, bottom: 0 }
    : { left: 0, right: 0, top: first, bottom: second };
}

/** Size of the result, and the part of it that the image fills. */
export interface Extent extends ImageSize {
  readonly kept: PixelRegion;
}

/** Percentage of a request that names neither a zoom nor a margin. */
export const DEFAULT_ZOOM = 20;

/**
 * Returns where an image lies in its result: scaled by the zoom, in the middle of a canvas of its size, with the
 * margins around that canvas.
 * @throws OperationError `bad_request` when nothing would be added or no pixel of the image would be left
 */
export function computeExtent({ width, height }: ImageSize, params: ExtentParams): Extent {
  const { aspect_ratio } = params;
  if (
    aspect_ratio &&
    params.expand_left + params.expand_right + params.expand_top + params.expand_bottom > 0
  ) {
    throw fieldError(
      'aspect_ratio',
      'goes with no margin. Leave out expand_left, expand_right, expand_top and expand_bottom.',
      {
        kind: 'setting',
      },
    );
  }
  const margins = aspect_ratio
    ? marginsFor({ width, height }, aspect_ratio)
    : {
        left: params.expand_left,
        right: params.expand_right,
        top: params.expand_top,
        bottom: params.expand_bottom,
      };
  const hasMargin = margins.left + margins.right + margins.top + margins.bottom > 0;
  const zoom = params.zoom_out_percentage ?? (hasMargin || aspect_ratio ? 0 : DEFAULT_ZOOM);
  const share = zoom > 0 && zoom < 100 ? zoom / 100 : 1;
  assertVisible(Math.max(width, height), share);
  const kept = {
    width: Math.max(1, Math.round(width * share)),
    height: Math.max(1, Math.round(height * share)),
  };
  const extent = {
    width: width + margins.left + margins.right,
    height: height + margins.top + margins.bottom,
    kept: {
      left: margins.left + Math.floor((width - kept.width) / 2),
      top: margins.top + Math.floor((height - kept.height) / 2),
      ...kept,
    },
  };
  if (extent.width > kept.width || extent.height > kept.height) return extent;
  if (aspect_ratio && share === 1) {
    throw fieldError(
      'aspect_ratio',
      `the image has the shape ${aspect_ratio} already, so nothing would be added.`,
      { kind: 'unchanged' },
    );
  }
  throw fieldError(
    'zoom_out_percentage',
    share === 1
      ? '0 and values from 100 up add nothing. Give a value between them, or a margin: expand_left, expand_right, expand_top or expand_bottom.'
      : 'the image is too small for it, so nothing would be added. Give a smaller value, or a margin: expand_left, expand_right, expand_top or expand_bottom.',
    { kind: 'setting' },
  );
}

/** Refuses a zoom that leaves no pixel of the image: a result of one colour would be charged. */
function assertVisible(longerSide: number, share: number): void {
  if (Math.round(longerSide * share) > 0) return;
  const least = Math.ceil(50_000 / longerSide) / 1000;
  throw fieldError(
    'zoom_out_percentage',
    `would leave no pixel of the image. Give at least ${least}, or 0 for no zoom.`,
    { kind: 'setting' },
  );
}

/** Returns a canvas at another size, with the image in its place. */
export function scaleExtent({ width, height, kept }: Extent, size: ImageSize): Extent {
  const scale = { x: size.width / width, y: size.height / height };
  const left = Math.min(size.width - 1, Math.round(kept.left * scale.x));
  const top = Math.min(size.height - 1, Math.round(kept.top * scale.y));
  return {
    ...size,
    kept: {
      left,
      top,
      width: Math.max(1, Math.min(size.width - left, Math.round(kept.width * scale.x))),
      height: Math.max(1, Math.min(size.height - top, Math.round(kept.height * scale.y))),
    },
  };
}
