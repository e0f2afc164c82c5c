import type { VideoFormat } from '../video-codec.ts';
import type { CutoutFormat } from './formats.ts';
import type { Stroke } from './strokes.ts';

/** What stands behind a cutout: a background as in a request, a picture at hand, or what was around it, out of focus. */
export type Behind =
  | { readonly kind: 'css'; readonly background: string }
  | { readonly kind: 'picture'; readonly picture: Blob }
  | { readonly kind: 'blurred' };

/** A picture or a video and the cutout that was made of it: all that is needed to go on from there, wherever it was made. */
export interface CutoutFiles {
  readonly original: Blob;
  /** With transparency: what is opaque in it is subject. */
  readonly cutout: Blob;
}

/** The longer side at which surroundings are blurred: more would not be seen. */
export const BLURRED_SIDE = 256;

/** What is still to be decided about a cutout once its subject has been found. */
export interface Look {
  readonly strokes: readonly Stroke[];
  readonly behind: Behind;
  readonly format: CutoutFormat;
}

/** The same of a video. */
export interface VideoLook {
  readonly behind: Behind;
  readonly format: VideoFormat;
}
