import { OperationError } from '../../core/operation/errors.ts';
import { billableSeconds } from '../../core/operation/money.ts';
import { probeVideo, type VideoFacts } from '../containers/video-header.ts';

/** Limits of an operation on videos. */
export interface VideoLimits {
  readonly bytesMax: number;
  readonly secondsMax: number;
  /** Limit on the longer side in pixels, as shown. */
  readonly sideMax: number;
  /** Limit on the mean frames per second. */
  readonly frameRateMax: number;
}

/** Headers round to their clocks, and audio ends slightly after the last frame. */
export const TOLERANCE_SECONDS = 0.1;

type Duration = Pick<VideoFacts, 'durationSeconds'>;

/** Describes the limits, to follow "HTTP(S) URL of". */
export function describeVideoLimits({ bytesMax, secondsMax, frameRateMax, sideMax }: VideoLimits): string {
  return `an MP4, MOV, WebM or MKV video of at most ${bytesMax / 1e6} MB, ${secondsMax} seconds, ${frameRateMax} frames per second and ${sideMax} pixels per side`;
}

/**
 * Probes a video and checks it against all limits but `bytesMax`.
 * @throws OperationError `bad_request` when the bytes are no video of a known container, or it exceeds a limit
 */
export async function probeLimitedVideo(
  input: Blob,
  limits: Omit<VideoLimits, 'bytesMax'>,
): Promise<VideoFacts> {
  const { secondsMax, sideMax, frameRateMax } = limits;
  const facts = await probeVideo(input, { secondsMax: secondsMax + TOLERANCE_SECONDS });
  const { width, height, durationSeconds, frameCount } = facts;
  if (durationSeconds > secondsMax + TOLERANCE_SECONDS) {
    refuse(`lasts ${durationSeconds.toFixed(1)} seconds. At most ${secondsMax} are allowed`);
  }
  if (Math.max(width, height) > sideMax) {
    refuse(`has ${width} x ${height} pixels. At most ${sideMax} per side are allowed`);
  }
  if (frameCount !== null && frameCount > (durationSeconds + TOLERANCE_SECONDS) * frameRateMax) {
    refuse(`has more than ${frameRateMax} frames per second`);
  }
  return facts;
}

/** Returns the billed seconds: all that were started, at least 1. */
export function billedVideoSeconds({ durationSeconds }: Duration): number {
  return billableSeconds(durationSeconds, TOLERANCE_SECONDS);
}

/**
 * Returns the time limit of a run on a video, in seconds.
 * @param perSecond for each started second of the video
 */
export function videoRunSecondsMax(
  facts: Duration,
  { base, perSecond }: { readonly base: number; readonly perSecond: number },
): number {
  return base + perSecond * billedVideoSeconds(facts);
}

function refuse(fault: string): never {
  throw new OperationError('bad_request', `The video ${fault}.`);
}
