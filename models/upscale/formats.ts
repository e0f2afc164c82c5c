import { outputFormat } from '../media/output-format.ts';
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

/**
 * Returns the format of a video's result.
 * @throws OperationError `bad_request` for an image format
 */
export function upscaledVideoFormat(asked: string | undefined): VideoFormat {
  return outputFormat(VIDEO_FORMATS, asked, 'a video');
}
