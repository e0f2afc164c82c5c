import { VIDEO_FORMATS, type VideoFormat } from '../../core/runtime/video-codec.ts';
import { chooseFormat } from '../../media/image/output-format.ts';

export const CUTOUT_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type CutoutFormat = (typeof CUTOUT_FORMATS)[number];

/**
 * Returns the format of an image's result.
 * @throws OperationError `bad_request` for a video format
 */
export function cutoutFormat(requested: string | undefined): CutoutFormat {
  return chooseFormat(CUTOUT_FORMATS, requested, 'an image');
}

/**
 * Returns the format of a video's result.
 * @throws OperationError `bad_request` for an image format
 */
export function cutoutVideoFormat(requested: string | undefined): VideoFormat {
  return chooseFormat(VIDEO_FORMATS, requested, 'a video');
}
