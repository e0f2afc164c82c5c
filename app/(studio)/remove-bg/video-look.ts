import type { VideoFormat } from '../../../models/video-codec.ts';

/** How videos shall come out. Unlike a picture's look it is part of the run: a new one takes a new run. */
export interface VideoLook {
  readonly format: VideoFormat;
  /** In CSS, as in a request. */
  readonly background: string;
}

/** Of the two formats, `webm` is the one that plays with transparency. */
export const FIRST_VIDEO_LOOK: VideoLook = { format: 'webm', background: 'transparent' };

const MEANINGS: Readonly<Record<VideoFormat, { readonly transparent: string; readonly filled: string }>> = {
  webm: {
    transparent: 'VP9 with transparency: plays in Chrome, Edge and Firefox.',
    filled: 'VP9: plays in every browser.',
  },
  mp4: {
    transparent:
      'MP4 holds no transparency: it becomes twice as high, the colours above and the matte below, for editors that join them.',
    filled: 'H.264: plays everywhere.',
  },
};

export function meaningOf({ format, background }: VideoLook): string {
  return MEANINGS[format][background === 'transparent' ? 'transparent' : 'filled'];
}
