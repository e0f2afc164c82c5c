import { OperationError } from '../errors.ts';
import { outputFormat } from '../media/output-format.ts';
import type { ImageSize } from '../raster.ts';
import { VIDEO_FORMATS, type VideoFormat } from '../video-codec.ts';

export const UPSCALED_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type UpscaledFormat = (typeof UPSCALED_FORMATS)[number];

/**
 * Returns the format of an image's result.
 * @throws OperationError `bad_request` for a video format
 */
export function upscaledFormat(asked: string | undefined): UpscaledFormat {
  return outputFormat(UPSCALED_FORMATS, asked, 'an image');
}

/** Most pixels per side that a format holds. */
const SIDES_MAX: Readonly<Partial<Record<UpscaledFormat, number>>> = { jpeg: 65_500, webp: 16_383 };

/** @throws OperationError `bad_request` when a format cannot hold the enlarged image */
export function checkSides({ width, height }: ImageSize, scale: number, format: UpscaledFormat): void {
  const sideMax = SIDES_MAX[format] ?? Number.POSITIVE_INFINITY;
  if (Math.max(width, height) * scale <= sideMax) return;
  throw new OperationError(
    'bad_request',
    `output_format: ${format} holds at most ${sideMax} pixels per side, but the result has ${width * scale} x ${height * scale}. Choose png.`,
    { kind: 'too_large_for_format' },
  );
}

/**
 * Returns the format of a video's result.
 * @throws OperationError `bad_request` for an image format
 */
export function upscaledVideoFormat(asked: string | undefined): VideoFormat {
  return outputFormat(VIDEO_FORMATS, asked, 'a video');
}
