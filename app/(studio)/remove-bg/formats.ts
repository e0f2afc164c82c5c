import type { CutoutFormat } from '../../../models/remove-bg/formats.ts';
import type { VideoFormat } from '../../../models/video-codec.ts';

/** What a format is called, and what taking it means. */
export interface FormatWords {
  readonly name: string;
  readonly means: string;
}

export const PICTURE_FORMATS: Readonly<Record<CutoutFormat, FormatWords>> = {
  png: { name: 'PNG', means: 'Every pixel as it is, with transparency.' },
  webp: { name: 'WebP', means: 'Much smaller, with transparency.' },
  jpeg: { name: 'JPG', means: 'Opens everywhere. What is transparent becomes white.' },
};

export const TRANSPARENT_VIDEO_FORMATS: Readonly<Record<VideoFormat, FormatWords>> = {
  webm: { name: 'WebM', means: 'VP9 with transparency: plays in Chrome, Edge and Firefox.' },
  mp4: {
    name: 'MP4',
    means:
      'MP4 holds no transparency: it becomes twice as high, the colours above and the matte below, for editors that join them.',
  },
};

export const FILLED_VIDEO_FORMATS: Readonly<Record<VideoFormat, FormatWords>> = {
  webm: { name: 'WebM', means: 'VP9: plays in every browser.' },
  mp4: { name: 'MP4', means: 'H.264: plays everywhere.' },
};
