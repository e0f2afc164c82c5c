import { OperationError } from '../../../core/operation/errors.ts';
import type { AudioContainer } from '../../../core/runtime/audio-codec.ts';
import { damagedAudio, printableName } from '../../bytes/byte-reader.ts';
import { noAudio } from '../formats/audio-errors.ts';
import { ffmpegDemuxer } from '../formats/ffmpeg-demuxers.ts';
import { type RawAudio, trackAmong } from '../formats/raw-audio.ts';
import { isMissing } from './declared-end.ts';

/** Stream of a file, as FFmpeg's demuxer reads it. */
export interface MeasuredStream {
  readonly isAudio: boolean;
  /** FFmpeg's name. */
  readonly codec: string;
  /** In Hz; 0 for video. */
  readonly sampleRate: number;
  readonly channelCount: number;
  /** Name that the file gives it; empty where there is none. */
  readonly name: string;
  /** Length that the header declares, or FFmpeg infers; null where neither is known. */
  readonly declaredSeconds: number | null;
  readonly times: Omit<PacketTimes, 'add'>;
}

/** Audio and video streams of a file, without cover images. */
export interface MeasuredFile {
  readonly streams: readonly MeasuredStream[];
  /** Program that wrote the file, as it names itself; empty where it does not. */
  readonly encoder: string;
}

export interface MeasureOptions {
  /** FFmpeg's name of the container. */
  readonly demuxer: string;
  /** Length after which measuring may end. */
  readonly secondsMax: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the streams of a file and the times of all their packets, without decoding.
 * @throws OperationError `bad_request` when FFmpeg cannot read the file
 */
export type MeasureFile = (file: Blob, options: MeasureOptions) => Promise<MeasuredFile>;

let measureFile: MeasureFile = async () => {
  throw new OperationError('unavailable', 'This file needs FFmpeg, which is missing here.', {
    kind: 'no_codecs',
  });
};

/** Provides the FFmpeg of this side, for all files that are measured afterwards. */
export function provideFfmpeg(own: MeasureFile): void {
  measureFile = own;
}

/** Measurement of a file, up to a length. */
export interface Measurement {
  readonly secondsMax: number;
  readonly file: MeasuredFile;
}

/** Files that have been measured, or are: each track of a file, and each change of a setting, asks once more. */
const known = new WeakMap<Blob, { readonly secondsMax: number; readonly reading: Promise<MeasuredFile> }>();

function measureOnce(file: Blob, options: MeasureOptions): Promise<MeasuredFile> {
  const { secondsMax } = options;
  const found = known.get(file);
  if (found?.secondsMax === secondsMax) return found.reading;
  const reading = measureFile(file, options);
  known.set(file, { secondsMax, reading });
  // FFmpeg may be there the next time.
  reading.catch(() => known.delete(file));
  return reading;
}

/** Returns the measurement of a file for another thread, once it has ended; null for a file without one. */
export async function getMeasurement(file: Blob): Promise<Measurement | null> {
  const found = known.get(file);
  const measured = await found?.reading.catch(() => null);
  return found && measured ? { secondsMax: found.secondsMax, file: measured } : null;
}

/** Takes over the measurement of a file by another thread. */
export function setMeasurement(file: Blob, { secondsMax, file: measured }: Measurement): void {
  known.set(file, { secondsMax, reading: Promise.resolve(measured) });
}

/** Span of the packets of a stream, in seconds. */
export class PacketTimes {
  /** Time of the first packet; null without packets. */
  startSeconds: number | null = null;
  /** End of the last packet whose bytes are all there. */
  endSeconds = 0;
  /** Length of all packets. */
  codedSeconds = 0;
  /** Length of the last packet where it lacks bytes; 0 where it has all. */
  partSeconds = 0;
  /** Longest time by which a packet begins before the one before it. */
  backSeconds = 0;
  #lastStart = 0;

  /**
   * @param seconds time of the packet; null for one that follows the packet before it
   * @param declaredSeconds length of the packet; 0 where it is not known: then it is that of the packet before
   */
  add(seconds: number | null, declaredSeconds: number, isCorrupt: boolean): void {
    this.partSeconds = isCorrupt ? declaredSeconds : 0;
    if (isCorrupt) return;
    const start = seconds ?? this.endSeconds;
    this.startSeconds ??= start;
    const durationSeconds = declaredSeconds || Math.max(0, start - this.#lastStart);
    this.backSeconds = Math.max(this.backSeconds, this.#lastStart - start);
    this.#lastStart = start;
    this.endSeconds = Math.max(this.endSeconds, start + durationSeconds);
    this.codedSeconds += durationSeconds;
  }
}

/** Containers whose header states the number of their samples, and those that state the length of the longest track. */
const DECLARED: readonly AudioContainer[] = ['tta', 'ape', 'wavpack', 'aiff', 'au'];
const DECLARED_FOR_ALL: readonly AudioContainer[] = ['asf', 'flv'];
/** Longer than any block of a coding of WAV. */
const BLOCK_SECONDS_MAX = 0.1;
/** Containers whose frames have times of their own. */
const TIMED: readonly AudioContainer[] = ['asf', 'flv', 'mpeg'];

/**
 * Measures the audio of a file that mediabunny does not read by the packets that are in it.
 * @param trackNumber audio track from 1, in the order of the file
 * @throws OperationError `bad_request` when the file has no audio, or is damaged; `unavailable` without FFmpeg
 */
export async function measureAudio(
  file: Blob,
  container: AudioContainer,
  { trackNumber, secondsMax, signal }: Omit<MeasureOptions, 'demuxer'> & { readonly trackNumber: number },
): Promise<RawAudio> {
  const demuxer = ffmpegDemuxer({ container, codec: null });
  const { streams, encoder } = await measureOnce(file, { secondsMax, signal, demuxer });
  const audio = streams.filter(({ isAudio }) => isAudio);
  const wanted = audio[trackNumber - 1];
  if (!wanted) throw noAudio();
  const { codec, sampleRate, channelCount, times, declaredSeconds } = wanted;
  // A packet of WAV has many blocks, of which the whole ones are decoded.
  const endSeconds = times.endSeconds + (container === 'wav' ? times.partSeconds : 0);
  const { startSeconds } = times;
  if (startSeconds === null) throw damagedAudio('it holds no samples');
  // FFmpeg begins at 0 with a stream of Ogg that goes on behind damage, whose pages state when packets end.
  const originSeconds =
    container === 'ogg'
      ? endSeconds - times.codedSeconds
      : Math.min(...streams.map((stream) => stream.times.startSeconds ?? startSeconds));
  const measured = endSeconds - originSeconds;
  const declared = declaredSeconds ?? 0;
  // The last block of a WAV file may be filled up.
  const isFilled = container === 'wav' && declared < measured && declared > measured - BLOCK_SECONDS_MAX;
  const durationSeconds = isFilled ? declared : measured;
  const isExact = DECLARED.includes(container);
  const isDeclared = isExact || (DECLARED_FOR_ALL.includes(container) && streams.length === 1);
  // FFmpeg states the time of the end of ASF in place of its length.
  const reached = container === 'asf' ? endSeconds : measured;
  const lacksEnd = isDeclared && isMissing(declared, reached, isExact ? 0 : undefined);
  return {
    codec,
    sampleRate,
    channelCount,
    durationSeconds,
    startSeconds: container === 'ogg' ? 0 : startSeconds - originSeconds + lostStart(wanted, encoder),
    firstSeconds: container === 'ogg' ? originSeconds : 0,
    isTimed: TIMED.includes(container),
    isCutOff: (times.partSeconds > 0 || lacksEnd) && measured <= secondsMax,
    hasVideo: audio.length < streams.length,
    ...trackAmong(
      audio.map(({ name }) => printableName(name)),
      trackNumber,
    ),
  };
}

/**
 * Returns the length at the start that decoders of WMA lose: they leave out the two frames by which Microsoft's encoder
 * is late, but FFmpeg's is late by one.
 */
function lostStart({ codec, sampleRate }: MeasuredStream, encoder: string): number {
  if (!/^wmav[12]$/.test(codec) || !encoder.startsWith('Lavf')) return 0;
  // FFmpeg's encoder and decoder derive the samples of a frame from the rate.
  if (sampleRate <= 16_000) return 512 / sampleRate;
  const isShort = sampleRate <= 22_050 || (sampleRate <= 32_000 && codec === 'wmav1');
  return (isShort ? 1024 : 2048) / sampleRate;
}
