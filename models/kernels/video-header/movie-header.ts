/** What the header of a video tells. */
export interface MovieHeader {
  /** As shown: turned, and with square pixels. 0 when there is no picture track. */
  readonly width: number;
  readonly height: number;
  /** To the end of the longest track. */
  readonly durationSeconds: number;
  /** Null where the header does not tell. */
  readonly frameCount: number | null;
  readonly hasAudio: boolean;
}
