import type { AudioCodec } from './audio-codec.ts';
import type { ImageCodec } from './image-codec.ts';
import type { Inference } from './inference.ts';
import type { ReportDraft, ReportProgress } from './progress.ts';
import type { VideoCodec } from './video-codec.ts';

/**
 * Port that every operation runs on. A browser worker and a server child each implement it once; an operation never
 * asks where it runs.
 */
export interface Runtime {
  readonly images: ImageCodec;
  readonly audio: AudioCodec;
  readonly video: VideoCodec;
  readonly inference: Inference;
  /** Further files sent with the input, by param name, fetched when the request was accepted. */
  readonly attachments: ReadonlyMap<string, Blob>;
  /** Aborts when the caller no longer waits for the result. Every loop checks the signal. */
  readonly signal: AbortSignal;
  /** Reports the progress of the whole run. */
  readonly progress: ReportProgress;
  /** Receives coarse forms of the result, each finer than the one before. Absent where no page shows them. */
  readonly draft?: ReportDraft | undefined;
}
