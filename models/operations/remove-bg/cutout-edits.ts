import type { VideoFormat } from '../../core/runtime/video-codec.ts';
import type { OutputFormat } from '../../media/image/output-format.ts';
import type { BackdropPosition } from './backdrop.ts';
import type { Placement } from './placement.ts';
import type { Stroke } from './strokes.ts';

/** Background of a cutout: one as in a request, a local image, or the blurred surroundings. */
export type BackgroundChoice =
  | { readonly kind: 'css'; readonly background: string }
  | {
      readonly kind: 'picture';
      readonly picture: Blob;
      /** The centre when absent. */
      readonly position?: BackdropPosition | undefined;
    }
  | { readonly kind: 'blurred' };

/** Image or video with the cutout made from it: everything needed for further edits, wherever it was made. */
export interface CutoutFiles {
  readonly original: Blob;
  /** Transparent cutout: opaque pixels are the subject. */
  readonly cutout: Blob;
}

/** Longer side at which surroundings are blurred, in pixels: more would not be visible. */
export const BLURRED_SIDE = 256;

/** Edits to a cutout that need no new run. */
export interface CutoutEdits {
  readonly strokes: readonly Stroke[];
  readonly background: BackgroundChoice;
  readonly format: OutputFormat;
  /** Null leaves the subject where it is in its image, without a shadow. */
  readonly placement: Placement | null;
}

/** Edits to a cut-out video. */
export interface VideoEdits {
  readonly background: BackgroundChoice;
  readonly format: VideoFormat;
}
