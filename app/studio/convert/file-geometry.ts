import type { ImageSize, PixelRegion } from '../../../models/core/runtime/raster.ts';
import { largestRegion, regionAround, regionBetween } from '../stage/region-geometry.ts';
import type { Field, ParamValue, ParamValues } from '../tools/fields.ts';
import type { FieldWording } from '../tools/wording.ts';

/** Size as a share of each image in percent, which the page turns into pixels. */
export const SHARE_FIELD: Field = { kind: 'choice', name: 'share', values: [50, 25], initial: undefined };

/** Texts of that field, for summaries. */
export const SHARE_WORDING: Readonly<Record<string, FieldWording>> = {
  share: { label: 'Size', choices: { 50: '50 %', 25: '25 %' }, explain: () => '' },
};

/** Reports whether the geometry of a result follows from the size of each image. */
export function followsSize({ share, crop }: ParamValues): boolean {
  return share !== undefined || crop !== undefined;
}

/** Returns a drawn crop as a value of the page. @param shape width to height; undefined where it is free */
export function cropValue(
  { left, top, width, height }: PixelRegion,
  image: ImageSize,
  shape: number | undefined,
): Readonly<Record<string, number>> {
  const size = { imageWidth: image.width, imageHeight: image.height };
  return { x: left, y: top, width, height, ...size, ...(shape !== undefined && { shape }) };
}

/**
 * Returns the region that a crop keeps of an image: as it was drawn, or the same part of an image of another size, in
 * the chosen shape. Undefined without a crop.
 * @param size undefined while it is unknown: the region is then that of the image on which it was drawn
 */
export function cropOf(crop: ParamValue, size: ImageSize | undefined): PixelRegion | undefined {
  if (typeof crop !== 'object' || Array.isArray(crop)) return undefined;
  const { x = 0, y = 0, width = 1, height = 1, ...drawn } = crop as Readonly<Record<string, number>>;
  const { imageWidth = size?.width, imageHeight = size?.height, shape } = drawn;
  const own = { left: x, top: y, width, height };
  if (!size || !imageWidth || !imageHeight) return own;
  if (size.width === imageWidth && size.height === imageHeight) return own;
  const at = (left: number, top: number) => ({
    x: (left * size.width) / imageWidth,
    y: (top * size.height) / imageHeight,
  });
  if (shape === undefined) return regionBetween(at(x, y), at(x + width, y + height), size);
  const share = width / largestRegion({ width: imageWidth, height: imageHeight }, shape).width;
  const wanted = largestRegion(size, shape).width * share;
  return regionAround(at(x + width / 2, y + height / 2), { width: wanted, height: wanted / shape }, size);
}

/**
 * Turns the geometry that all images share into the params of one of them.
 * @param params with the crop as the page keeps it
 * @param size of the upright image; undefined where it is unknown, which leaves a share out
 */
export function geometryFor(
  params: ParamValues,
  { share }: ParamValues,
  size: ImageSize | undefined,
): ParamValues {
  const region = cropOf(params.crop, size);
  const crop = region && { x: region.left, y: region.top, width: region.width, height: region.height };
  const kept = region ?? size;
  return { ...params, crop, ...(typeof share === 'number' && kept && sideFor(kept, params, share)) };
}

/** Returns the longer side of a share of an image: the other one follows, so that the shape stays. */
function sideFor(kept: ImageSize, { rotate }: ParamValues, share: number): ParamValues {
  const isTurned = rotate === 90 || rotate === 270;
  const [width, height] = isTurned ? [kept.height, kept.width] : [kept.width, kept.height];
  const side = Math.max(1, Math.round((Math.max(width, height) * share) / 100));
  return width >= height ? { width: side } : { height: side };
}
