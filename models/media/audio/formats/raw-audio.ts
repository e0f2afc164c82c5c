import { OperationError } from '../../../core/operation/errors.ts';
import type { HeardTrack, PcmFormat } from '../../../core/runtime/audio-codec.ts';

const SAMPLE_RATE_MIN = 8000;
const SAMPLE_RATE_MAX = 192_000;

/** Audio of a container that mediabunny does not read, measured by its frames or samples. */
export interface RawAudio {
  /** FFmpeg's name. */
  readonly codec: string;
  /** In Hz. */
  readonly sampleRate: number;
  readonly channelCount: number;
  /** Speakers of the channels, as in WAVEFORMATEXTENSIBLE; absent where headers do not say it. */
  readonly channelMask?: number;
  /** From the earliest time of any track to the end of the audio, without priming. */
  readonly durationSeconds: number;
  /** Time of the first sample; negative for priming that a decoder leaves in. Defaults to 0. */
  readonly startSeconds?: number;
  /** Time of the first sample of a part behind damage, on the clock of its file. Defaults to 0. */
  readonly firstSeconds?: number;
  /** Whether frames have times of their own, so that gaps count. Defaults to false. */
  readonly isTimed?: boolean;
  /** Whether headers declare more than the file has. Defaults to false. */
  readonly isCutOff?: boolean;
  /** Whether the file has a video track too. */
  readonly hasVideo: boolean;
  /** Track that was measured, of a file with several; absent for one. */
  readonly track?: HeardTrack;
}

/** Returns the track of a number among several, whose labels are given; nothing for one. */
export function trackAmong(labels: readonly string[], number: number): Pick<RawAudio, 'track'> {
  return labels.length > 1
    ? { track: { number, count: labels.length, label: labels[number - 1] ?? '' } }
    : {};
}

/**
 * Checks a format that a caller asks for.
 * @throws OperationError `bad_request` unless the sample rate is an integer from 8000 to 192000 and there are one or
 *   two channels
 */
export function assertFormat({ sampleRate, channelCount }: PcmFormat): void {
  if (!Number.isInteger(sampleRate) || sampleRate < SAMPLE_RATE_MIN || sampleRate > SAMPLE_RATE_MAX) {
    throw new OperationError(
      'bad_request',
      `sampleRate: must be an integer from ${SAMPLE_RATE_MIN} to ${SAMPLE_RATE_MAX} Hz, not ${sampleRate}.`,
    );
  }
  if (channelCount !== 1 && channelCount !== 2) {
    throw new OperationError(
      'bad_request',
      `channelCount: must be 1 (mono) or 2 (stereo), not ${channelCount}.`,
    );
  }
}
