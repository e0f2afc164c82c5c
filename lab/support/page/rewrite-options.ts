/** Options for rewriting a video. */
export interface RewriteOptions {
  readonly format: 'mp4' | 'webm';
  /** Fades every frame out to the right and keeps alpha. */
  readonly alpha: boolean;
  readonly sound: boolean;
}
