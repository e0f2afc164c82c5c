import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import type { Box } from './stage-geometry.ts';

/** Place of the line between before and after, as a share of the width. */
export const MIDDLE = 0.5;
/** Largest distance of the line from the middle, as a share of the width. */
const SWING = 0.45;

/** Returns the place of the line at a share of a video: from the middle, across and back. */
export function splitAt(fraction: number): number {
  return MIDDLE + SWING * Math.sin(2 * Math.PI * fraction);
}

/** Returns the largest part of an image, around its middle, that has the shape of a frame. */
export function partInShape(image: ImageSize, frame: ImageSize): Box {
  const scale = Math.min(image.width / frame.width, image.height / frame.height);
  const [width, height] = [frame.width * scale, frame.height * scale];
  return { left: (image.width - width) / 2, top: (image.height - height) / 2, width, height };
}

/**
 * Shortens a text to a width, with an ellipsis at its end.
 * @param getWidth width of a text, in the unit of `widthMax`
 */
export function shortenText(text: string, widthMax: number, getWidth: (text: string) => number): string {
  if (getWidth(text) <= widthMax) return text;
  const characters = [...text];
  const shortened = (count: number) => `${characters.slice(0, count).join('').trimEnd()}…`;
  const fitting = characters.findLastIndex((_, count) => getWidth(shortened(count)) <= widthMax);
  return shortened(Math.max(fitting, 0));
}
