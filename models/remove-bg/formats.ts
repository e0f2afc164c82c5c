import { outputFormat } from '../media/output-format.ts';
import { VIDEO_FORMATS, type VideoFormat } from '../video-codec.ts';

export const CUTOUT_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type CutoutFormat = (typeof CUTOUT_FORMATS)[number];

/**
 * Returns the format of an image's result.
 * @throws OperationError `bad_request` for a video format
 */
export function cutoutFormat(asked: string | undefined): CutoutFormat {
  return outputFormat(CUTOUT_FORMATS, asked, 'an image');
}

/**
 * Returns the format of a video's result.
 * @throws OperationError `bad_request` for an image format
 */
export function cutoutVideoFormat(asked: string | undefined): VideoFormat {
  return outputFormat(VIDEO_FORMATS, asked, 'a video');
}
