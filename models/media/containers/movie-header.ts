import type { PictureShape } from './picture-shape.ts';

/** Limit on tracks, beyond what any player shows. Later readers of a probed file may rely on it. */
export const TRACKS_MAX = 100;

/** Facts from a video's header. */
export interface MovieHeader {
  /** As shown: rotated, with square pixels. 0 without a video track. */
  readonly width: number;
  readonly height: number;
  /** Shown shape of the pictures of each track, by its id. */
  readonly shapes: ReadonlyMap<number, PictureShape>;
  /** From the start of the first track to the end of the last one, inside the edit lists. */
  readonly durationSeconds: number;
  /** Null where the header has no count. */
  readonly frameCount: number | null;
  /** Whether `frameCount` was counted. Otherwise it is estimated from the duration and the default frame duration. */
  readonly isFrameCountExact: boolean;
  readonly hasAudio: boolean;
}
