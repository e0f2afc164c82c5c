import type { VideoFormat } from '../../../../models/core/runtime/video-codec.ts';
import { OUTPUT_FORMATS } from '../../../../models/media/image/output-format.ts';
import { type FormatWords, imageFormatWords } from '../../form/format-words.ts';

export const IMAGE_FORMATS = imageFormatWords(OUTPUT_FORMATS);

export const TRANSPARENT_VIDEO_FORMATS: Readonly<Record<VideoFormat, FormatWords>> = {
  webm: { name: 'WebM', means: 'VP9 with transparency: plays in Chrome, Edge and Firefox.' },
  mp4: {
    name: 'MP4',
    means:
      'MP4 has no transparency: the video becomes twice as high, with colours above and the matte below, for editors that combine them.',
  },
};

export const OPAQUE_VIDEO_FORMATS: Readonly<Record<VideoFormat, FormatWords>> = {
  webm: { name: 'WebM', means: 'VP9: plays in every browser.' },
  mp4: { name: 'MP4', means: 'H.264: plays everywhere.' },
};
