/** Audio of a container that mediabunny does not read, measured by its frames or samples. */
export interface RawAudio {
  readonly codec: string;
  /** In Hz. */
  readonly sampleRate: number;
  readonly channelCount: number;
  readonly durationSeconds: number;
  /** Whether the file has a video track too. */
  readonly hasVideo: boolean;
}
