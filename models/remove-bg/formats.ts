import { OperationError } from '../errors.ts';
import { VIDEO_FORMATS, type VideoFormat } from '../video-codec.ts';

export const CUTOUT_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type CutoutFormat = (typeof CUTOUT_FORMATS)[number];

/** The format of an image's result. @throws OperationError `bad_request` when the one asked for is for videos */
export function cutoutFormat(asked: string | undefined): CutoutFormat {
  return oneOf(CUTOUT_FORMATS, asked, 'an image');
}

/** The format of a video's result. @throws OperationError `bad_request` when the one asked for is for images */
export function cutoutVideoFormat(asked: string | undefined): VideoFormat {
  return oneOf(VIDEO_FORMATS, asked, 'a video');
}

function oneOf<Format extends string>(
  formats: readonly [Format, ...Format[]],
  asked: string | undefined,
  noun: string,
): Format {
  const format = asked === undefined ? formats[0] : formats.find((known) => known === asked);
  if (format) return format;
  const message = `output_format: must be one of ${formats.join(', ')} for ${noun}.`;
  throw new OperationError('bad_request', message);
}
