/** Audio container, recognized by its first bytes. */
export type AudioContainer =
  | 'mp3'
  | 'wav'
  | 'flac'
  | 'ogg'
  | 'aac'
  | 'mp4'
  | 'mov'
  | 'webm'
  | 'mkv'
  | 'asf'
  | 'amr'
  | 'aiff'
  | 'ac3'
  | 'w64'
  | 'au'
  | 'caf'
  | 'mp2'
  | 'dts'
  | 'truehd'
  | 'mpegts'
  | 'mpeg'
  | 'avi'
  | 'flv'
  | 'tta'
  | 'ape'
  | 'wavpack';

/** Facts about the audio of a file, measured from its packets. */
export interface AudioFacts {
  readonly container: AudioContainer;
  readonly mediaType: string;
  /** WebCodecs' name where there is one (`mp3`, `aac`, `opus`), otherwise FFmpeg's; null when unknown. */
  readonly codec: string | null;
  /** In Hz, as coded: a decoder of HE-AAC may output twice the rate. */
  readonly sampleRate: number;
  readonly channelCount: number;
  /** From time 0 to the end of the last packet, less the padding that the container declares. */
  readonly durationSeconds: number;
  readonly hasVideo: boolean;
  /** Track that is heard, of a file with several; absent for one. */
  readonly track?: HeardTrack;
}

/** Audio track among several. */
export interface HeardTrack {
  /** Position among the audio tracks, from 1. */
  readonly number: number;
  /** Number of audio tracks. */
  readonly count: number;
  /** Its name and language, as far as the file has them. */
  readonly label: string;
}

/** Limits of probing. */
export interface AudioProbeOptions {
  /** Longest accepted audio; any length when absent. */
  readonly secondsMax?: number;
  /** Largest accepted file; any size when absent. */
  readonly bytesMax?: number;
  /** Audio track to open, from 1; the one that players begin with when absent. */
  readonly trackNumber?: number;
  readonly signal?: AbortSignal;
}
