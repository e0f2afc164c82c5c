import type { AudioFacts, AudioProbeOptions } from './audio-facts.ts';
import type { PcmChunk } from './pcm.ts';
import type { RunWarning } from './run-warnings.ts';

export const AUDIO_FORMATS = ['wav', 'mp3'] as const;
export type AudioFormat = (typeof AUDIO_FORMATS)[number];

export const AUDIO_MEDIA_TYPES = {
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
