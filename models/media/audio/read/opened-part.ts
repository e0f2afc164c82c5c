import type { InputAudioTrack } from 'mediabunny';
import { OperationError } from '../../../core/operation/errors.ts';
import type { AudioContainer, AudioFacts } from '../../../core/runtime/audio-codec.ts';
import type { Placement } from '../../../kernels/audio/place-pieces.ts';
import { damagedAudio } from '../../bytes/byte-reader.ts';
import type { RawAudio } from '../formats/raw-audio.ts';

/** Track of a part. */
export interface LinkTrack {
  /** Track for decoders of packets; null for containers and codecs that only FFmpeg reads. */
  readonly track: InputAudioTrack | null;
  /** Bytes of the part. */
  readonly file: Blob;
}

/** Probed part of a file. */
export interface OpenedPart extends Placement {
  /** Bytes of the part, a separate file. */
  readonly file: Blob;
  readonly facts: AudioFacts;
  readonly openTrack: () => Promise<LinkTrack>;
  /** End of decoding: the measured length, plus an allowance for the container's rounding. */
  readonly endSeconds: number;
  /** Speakers of the channels; null where headers do not say it. */
  readonly channelMask: number | null;
  readonly isCutOff: boolean;
  /** Time of the first packet. */
  readonly firstSeconds: number;
  /** Reports whether samples between two times of packets were lost in a damaged stretch. By default none were. */
  readonly isLost?: (fromSeconds: number, toSeconds: number) => boolean;
}

/** Limits of the opening of a part, and the track that is wanted. */
export interface PartOptions {
  readonly secondsMax: number;
  readonly signal: AbortSignal | undefined;
  readonly trackNumber: number | undefined;
}

/**
 * Sample rates in Hz of real recordings. Beyond them a file is damaged, or built to make the resampler's filter huge.
 */
const SAMPLE_RATE_MIN = 1_000;
const SAMPLE_RATE_MAX = 768_000;
/** More channels than any recording has: each chunk holds all of them. */
const CHANNELS_MAX = 64;

const MEDIA_TYPES: Readonly<Record<AudioContainer, readonly [audio: string, video: string]>> = {
  mp3: ['audio/mpeg', 'audio/mpeg'],
  wav: ['audio/wav', 'audio/wav'],
  flac: ['audio/flac', 'audio/flac'],
  ogg: ['audio/ogg', 'video/ogg'],
  aac: ['audio/aac', 'audio/aac'],
  mp4: ['audio/mp4', 'video/mp4'],
  mov: ['audio/mp4', 'video/quicktime'],
  webm: ['audio/webm', 'video/webm'],
  mkv: ['audio/x-matroska', 'video/x-matroska'],
  asf: ['audio/x-ms-wma', 'video/x-ms-wmv'],
  amr: ['audio/amr', 'audio/amr'],
  aiff: ['audio/aiff', 'audio/aiff'],
  ac3: ['audio/ac3', 'audio/ac3'],
  w64: ['audio/x-w64', 'audio/x-w64'],
  au: ['audio/basic', 'audio/basic'],
  caf: ['audio/x-caf', 'audio/x-caf'],
  mp2: ['audio/mpeg', 'audio/mpeg'],
  dts: ['audio/vnd.dts', 'audio/vnd.dts'],
  truehd: ['audio/vnd.dolby.mlp', 'audio/vnd.dolby.mlp'],
  mpegts: ['video/mp2t', 'video/mp2t'],
  mpeg: ['video/mpeg', 'video/mpeg'],
  avi: ['video/x-msvideo', 'video/x-msvideo'],
  flv: ['video/x-flv', 'video/x-flv'],
  tta: ['audio/x-tta', 'audio/x-tta'],
  ape: ['audio/x-ape', 'audio/x-ape'],
  wavpack: ['audio/x-wavpack', 'audio/x-wavpack'],
};

/**
 * Builds the facts about a file's audio.
 * @throws OperationError `bad_request` when its rate or its number of channels is out of range
 */
export function getFacts(
  container: AudioContainer,
  measured: Omit<RawAudio, 'codec'> & { codec: string | null },
): AudioFacts {
  const { codec, sampleRate, channelCount, durationSeconds, hasVideo } = measured;
  if (!(sampleRate >= SAMPLE_RATE_MIN && sampleRate <= SAMPLE_RATE_MAX)) {
    throw damagedAudio(`its sample rate of ${sampleRate} Hz is out of range`);
  }
  if (!(channelCount >= 1 && channelCount <= CHANNELS_MAX)) {
    throw damagedAudio(`its number of channels, ${channelCount}, is out of range`);
  }
  const [audioType, videoType] = MEDIA_TYPES[container];
  const mediaType = hasVideo ? videoType : audioType;
  return { container, mediaType, codec, sampleRate, channelCount, durationSeconds, hasVideo };
}

/** @throws OperationError `bad_request` when the audio is empty, or lasts longer than `secondsMax` */
export function assertLength(seconds: number, secondsMax: number): void {
  if (!(seconds > 0 && Number.isFinite(seconds))) throw damagedAudio('it holds no samples');
  if (seconds <= secondsMax) return;
  const hours = (value: number) =>
    value >= 3600 ? `${(value / 3600).toFixed(1)} hours` : `${Math.round(value)} s`;
  throw new OperationError(
    'bad_request',
    `The audio lasts ${hours(seconds)}. At most ${hours(secondsMax)} are allowed.`,
  );
}
