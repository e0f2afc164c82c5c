import { fieldError } from '../../core/operation/errors.ts';
import type { ImageSize } from '../../core/runtime/raster.ts';
import type { VideoFacts } from '../../media/containers/video-header.ts';
import { billedVideoSeconds } from '../../media/video/video-limits.ts';
import { planPasses, type Scale, stepOf, type Upscaler } from './plan-passes.ts';
import type { UpscaleParams } from './schema.ts';
import { tiledPixels } from './tile-regions.ts';
import type { UpscaledInput } from './upscaled-input.ts';
import { upscalersFor } from './upscalers.ts';
import { UPSCALE_VIDEO_LIMITS } from './video-limits.ts';

/** Speed of the networks at a slow server: two cores that other work shares reach it. */
const MULTIPLY_ADDS_PER_SECOND = 20e9;
/** Longest time that networks may take at such a server, in seconds. It admits each input for our own networks. */
const NETWORK_SECONDS_MAX = { image: 3600, video: 5 * 3600 };
/** Time for all else, in seconds: an image of 100 megapixels is encoded in it. */
const BASE_SECONDS = 600;
/** From here on an image would hold up the small ones. */
const LONG_FROM_SECONDS = 60;

type Facts = ImageSize | VideoFacts;
type Params = Pick<UpscaleParams, 'model' | 'scale'>;

/** Reports whether a run takes so long that it belongs in the lane of the videos. */
export function isLongRun(facts: Facts, params: Params): boolean {
  return 'durationSeconds' in facts || networkSeconds(facts, params) > LONG_FROM_SECONDS;
}

/** Returns the time limit of a run, in seconds. An image with alpha is enlarged twice: its colours, then its alpha. */
export function runSecondsMax(facts: Facts, params: Params): number {
  const passes = 'durationSeconds' in facts ? 1 : 2;
  return Math.ceil(BASE_SECONDS + passes * networkSeconds(facts, params));
}

/** @throws OperationError `bad_request` when a slow server could not finish the run */
export function checkRunTime(facts: Facts, params: Params): void {
  const isVideo = 'durationSeconds' in facts;
  const share = networkSeconds(facts, params) / NETWORK_SECONDS_MAX[isVideo ? 'video' : 'image'];
  if (share <= 1) return;
  const { width, height } = facts;
  const tenths = Math.max(1, Math.floor((width * height * 10) / share / 1_000_000)) / 10;
  throw fieldError(
    'model',
    isVideo
      ? `${params.model} would take too long for ${width} x ${height} pixels and ${billedVideoSeconds(facts)} s. At most ${(billedVideoSeconds(facts) / share).toFixed(1)} s of them are allowed: use a shorter video or another model.`
      : `${params.model} would take too long for ${width} x ${height} pixels enlarged ${params.scale} times. At most about ${tenths} megapixels are allowed: use a smaller image or another model.`,
  );
}

/** Estimates the time of the networks at a slow server, in seconds: of the slowest that a request may get at first. */
export function networkSeconds(facts: Facts, { model, scale }: Params): number {
  const isVideo = 'durationSeconds' in facts;
  const inputs: readonly UpscaledInput[] = isVideo ? ['video'] : ['image', 'degraded image'];
  const work = inputs.map((input) => {
    const [first] = upscalersFor(model, input);
    return first ? multiplyAdds(facts, first, scale) : 0;
  });
  const frames = isVideo
    ? (facts.frameRate ?? UPSCALE_VIDEO_LIMITS.frameRateMax) * billedVideoSeconds(facts)
    : 1;
  return (frames * Math.max(...work)) / MULTIPLY_ADDS_PER_SECOND;
}

/** Returns the multiply-adds of all passes over one image, each on the result of the one before. */
function multiplyAdds({ width, height }: ImageSize, upscaler: Upscaler, scale: Scale): number {
  let reached = 1;
  let sum = 0;
  for (const network of planPasses(upscaler, scale).networks) {
    const pixels = tiledPixels({ width: width * reached, height: height * reached }, network);
    sum += pixels * network.multiplyAdds;
    reached *= stepOf(network);
  }
  return sum;
}
