import type { VideoFormat } from '../../../../models/core/runtime/video-codec.ts';
import type { UpscaledFormat } from '../../../../models/operations/upscale/formats.ts';
import type { FormatWords } from '../../form/format-choice.tsx';
import type { Field } from '../../tools/fields.ts';

export const IMAGE_FORMATS: Readonly<Record<UpscaledFormat, FormatWords>> = {
  png: { name: 'PNG', means: 'Every pixel as computed. Large.' },
  jpeg: { name: 'JPG', means: 'Small. Transparency becomes white.' },
  webp: { name: 'WebP', means: 'Smaller than JPG, with transparency.' },
};

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
