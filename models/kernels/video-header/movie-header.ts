/** What the header of a video tells. */
export interface MovieHeader {
  /** As shown: turned, and with square pixels. 0 when there is no picture track. */
  readonly width: number;
  readonly height: number;
  /** To the end of the longest track. */
  readonly durationSeconds: number;
  /** Null where the header does not tell. */
  readonly frameCount: number | null;
  /** Whether `frameCount` was counted. Else it is what the length and a usual frame's make likely. */
  readonly isFrameCountExact: boolean;
  readonly hasAudio: boolean;
}
