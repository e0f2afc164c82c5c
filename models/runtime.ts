import type { ImageCodec } from './image-codec.ts';
import type { Inference } from './inference.ts';
import type { VideoCodec } from './video-codec.ts';

/** How many of the like parts of a run are done: frames, pages, segments. */
export interface Count {
  readonly done: number;
  /** At least `done`. */
  readonly total: number;
  /** Whether `total` is a guess, which may change. */
  readonly isGuess: boolean;
  /** What is counted, in the reader's word for one: `frame`. */
  readonly unit: string;
}

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
  /**
   * @param fraction of the whole run that is done, 0 to 1, never falling
   * @param count where the run goes through like parts one after the other
   */
  progress(fraction: number, count?: Count): void;
}
