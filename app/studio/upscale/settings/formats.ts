import type { VideoFormat } from '../../../../models/core/runtime/video-codec.ts';
import { OUTPUT_FORMATS } from '../../../../models/media/image/output-format.ts';
import { type FormatWords, imageFormatWords } from '../../form/format-words.ts';
import type { Field } from '../../tools/fields.ts';

export const IMAGE_FORMATS = imageFormatWords(OUTPUT_FORMATS);

export const VIDEO_FORMATS: Readonly<Record<VideoFormat, FormatWords>> = {
  mp4: { name: 'MP4', means: 'H.264: plays everywhere.' },
  webm: { name: 'WebM', means: 'VP9: smaller, and slower to make.' },
};

/** Format of videos: images and videos of one batch have each their own. */
export const VIDEO_FORMAT_FIELD: Field = {
  kind: 'choice',
  name: 'video_format',
  values: Object.keys(VIDEO_FORMATS),
  initial: 'mp4',
};
