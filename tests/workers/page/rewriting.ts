/** How a video is to be written anew. */
export interface Rewriting {
  readonly format: 'mp4' | 'webm';
  /** Fades every frame out to the right and keeps that. */
  readonly alpha: boolean;
  readonly sound: boolean;
}
