import type { RunWarning } from './run-warnings.ts';

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

export const AUDIO_FORMATS = ['wav', 'flac', 'mp3'] as const;
export type AudioFormat = (typeof AUDIO_FORMATS)[number];

export const AUDIO_MEDIA_TYPES = {
  flac: 'audio/flac',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
} as const satisfies Record<AudioFormat, string>;

/** Number of channels of decoded audio: mono, or left and right. */
export type OutputChannelCount = 1 | 2;

export interface AudioDecodeOptions {
  /** In Hz, an integer from 8000 to 192000. */
  readonly sampleRate: number;
  readonly channelCount: OutputChannelCount;
  /**
   * Longest accepted audio: a longer file is refused before it is decoded, and `chunks` ends there when a file has more
   * samples than it declares. Any length when absent.
   */
  readonly secondsMax?: number;
  readonly signal: AbortSignal;
}

/** Audio of a file, ready to be decoded. */
export interface DecodedAudio {
  /** Facts about the file's own audio, not about the samples that `chunks` yields. */
  readonly facts: AudioFacts;
  readonly sampleRate: number;
  readonly channelCount: OutputChannelCount;
  /** Frames that `chunks` yields of a whole file: the total for progress. */
  readonly frameCount: number;
  /**
   * Decodes the audio in order, in chunks of at most a few seconds; memory does not grow with the length. The first
   * sample is at time 0: gaps become silence, encoder priming is left out. The caller may change each chunk.
   * Audio that is cut off ends where its samples end.
   * @throws OperationError `unprocessable` when the samples are corrupt
   */
  chunks(): AsyncIterable<PcmChunk>;
  /** Sentences about audio that is cut off; complete once `chunks` has been read. */
  warnings(): readonly RunWarning[];
}

export interface AudioEncodeOptions {
  /** `wav` is 16-bit PCM, `mp3` is MPEG-1 Layer III at a constant 192 kbps. */
  readonly format: AudioFormat;
  /** In Hz, an integer from 8000 to 192000. MP3 at 192 kbps exists at 32000, 44100 and 48000 only. */
  readonly sampleRate: number;
  readonly channelCount: OutputChannelCount;
  readonly signal: AbortSignal;
}

/** Codec that decodes the audio of any audio or video file, and encodes audio. */
export interface AudioCodec {
  /**
   * Measures length, codec, rate and channels from packets, without decoding.
   * @throws OperationError `bad_request` when the file has no audio, is of no known format, damaged or too long
   */
  probe(input: Blob, options: AudioProbeOptions): Promise<AudioFacts>;
  /**
   * Opens the audio of a file. Nothing is decoded before `chunks` is read.
   * @throws OperationError `bad_request` when the file has no audio or cannot be read, or an option is out of range;
   * `unavailable` when this device
   *   has no decoder for it, but the server has
   */
  decode(input: Blob, options: AudioDecodeOptions): Promise<DecodedAudio>;
  /**
   * Writes chunks as a file of exactly as many frames; players that honour the LAME tag of an MP3 play that number.
   * Samples of a WAV are rounded to the nearest of 16 bits. Samples beyond full scale are clipped, in an MP3 of the
   * device those beyond 0.97.
   * @throws OperationError `bad_request` when the format does not exist at the rate, or an option is out of range;
   * `unprocessable` when a WAV would
   *   exceed 4 GB; `unavailable` when this device cannot write it
   */
  encode(chunks: AsyncIterable<PcmChunk>, options: AudioEncodeOptions): Promise<Blob>;
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
