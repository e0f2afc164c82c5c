/** Audio in memory: one array of samples per channel, all of one length. Full scale is -1 to 1; peaks may exceed it. */
export type PcmChunk = readonly Float32Array<ArrayBuffer>[];

/** Sample rate and number of channels. */
export interface PcmFormat {
  /** In Hz. */
  readonly sampleRate: number;
  readonly channelCount: number;
}

/** Decoded audio at the file's own rate, with its time on the file's timeline. */
export interface PcmPiece {
  /** Time of the first sample. Negative for encoder priming, which is not part of the audio. */
  readonly timestampSeconds: number;
  readonly sampleRate: number;
  readonly channels: PcmChunk;
  /** Speakers of the channels, as the mask of WAVEFORMATEXTENSIBLE; absent where a decoder does not say it. */
  readonly channelMask?: number;
  /** Whether the samples are silence in place of damaged ones. */
  readonly isDamaged?: boolean;
}

/** Counts the samples of each channel of a chunk. */
export function getFrameCount(chunk: PcmChunk): number {
  return chunk[0]?.length ?? 0;
}

/** Joins the samples of one channel. */
export function joinSamples(parts: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
