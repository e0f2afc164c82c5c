import type { ImageCodec } from './image-codec.ts';
import type { Inference } from './inference.ts';
import type { VideoCodec } from './video-codec.ts';

/**
 * The port every operation runs on. A browser worker and a server child each implement it once; an operation never
 * asks where it is.
 */
export interface Runtime {
  readonly images: ImageCodec;
  readonly video: VideoCodec;
  readonly inference: Inference;
  /** What else was sent with the input, by the name of its param: fetched when the request was taken. */
  readonly attachments: ReadonlyMap<string, Blob>;
  /** Aborted when nobody waits for the result any more. Every loop checks it. */
  readonly signal: AbortSignal;
  /** @param fraction of the whole run that is done, 0 to 1, never falling */
  progress(fraction: number): void;
}
