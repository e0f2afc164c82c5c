import { getFrameCount, type OutputChannelCount, type PcmChunk } from '../../core/runtime/audio-codec.ts';

/** -3 dB. */
const HALF_POWER = Math.SQRT1_2;

/** Share of one channel in the left and the right output. */
type Gains = readonly [left: number, right: number];

const LEFT: Gains = [1, 0];
const RIGHT: Gains = [0, 1];
const CENTRE: Gains = [HALF_POWER, HALF_POWER];
const SURROUND_LEFT: Gains = [HALF_POWER, 0];
const SURROUND_RIGHT: Gains = [0, HALF_POWER];
const MIDDLE: Gains = [0.5, 0.5];
/** Bass effects, which ITU-R BS.775 leaves out. */
const EFFECTS: Gains = [0, 0];

/** Gains of the speakers, by their bits in the channel mask of WAVEFORMATEXTENSIBLE, which FFmpeg shares. */
const SPEAKERS: readonly Gains[] = [
  LEFT,
  RIGHT,
  CENTRE,
  EFFECTS,
  // Back left and right.
  SURROUND_LEFT,
  SURROUND_RIGHT,
  // Front left and right of the centre.
  LEFT,
  RIGHT,
  // Back centre, then side left and right.
  MIDDLE,
  SURROUND_LEFT,
  SURROUND_RIGHT,
  // Top: centre, then front and back, each left, centre and right.
  MIDDLE,
  SURROUND_LEFT,
  MIDDLE,
  SURROUND_RIGHT,
  SURROUND_LEFT,
  MIDDLE,
  SURROUND_RIGHT,
];
export const STEREO_MASK = 0x3;
/** Masks by the number of channels, for audio that does not state its own. */
const USUAL_MASKS: Readonly<Record<number, number>> = {
  1: 0x4,
  2: STEREO_MASK,
  3: 0x7,
  4: 0x33,
  5: 0x37,
  6: 0x3f,
  7: 0x70f,
  8: 0x63f,
};

/** Returns the usual channel mask of a number of channels; 0 for more than eight, which have none. */
export function usualMask(channelCount: number): number {
  return USUAL_MASKS[channelCount] ?? 0;
}

/**
 * Converts a chunk to mono or stereo. Mono becomes two equal channels. More than two channels become stereo by
 * ITU-R BS.775-4, annex 4: centre and surrounds at -3 dB, bass effects left out, not normalized, so that peaks may
 * exceed full scale. Those without a known place are reduced to their first two. Stereo becomes mono as the mean of
 * both sides.
 * @param mask places of the channels, in the order of their bits; the usual ones of their number when it is absent, or
 *   does not fit
 */
export function mixChannels(chunk: PcmChunk, channelCount: OutputChannelCount, mask?: number): PcmChunk {
  const [first] = chunk;
  if (!first) return [];
  if (chunk.length === 1) return channelCount === 1 ? chunk : [first, first.slice()];
  const stereo = toStereo(chunk, mask);
  return channelCount === 2 ? stereo : [getMean(stereo)];
}

function toStereo(chunk: PcmChunk, mask: number | undefined): PcmChunk {
  const gains = getGains(chunk.length, mask ?? 0) ?? getGains(chunk.length, usualMask(chunk.length));
  if (!gains) return chunk.slice(0, 2);
  if (chunk.length === 2 && gains[0] === LEFT && gains[1] === RIGHT) return chunk;
  return [0, 1].map((side) => {
    const mixed = new Float32Array(getFrameCount(chunk));
    gains.forEach((shares, channel) => {
      addScaled(mixed, chunk[channel], shares[side]);
    });
    return mixed;
  });
}

/** Returns the gains of each channel; null where the mask names more or fewer, or unknown places. */
function getGains(channelCount: number, mask: number): Gains[] | null {
  const gains = SPEAKERS.filter((_, bit) => (mask >> bit) & 1);
  const isKnown = mask < 2 ** SPEAKERS.length;
  return isKnown && gains.length === channelCount ? gains : null;
}

function addScaled(sum: Float32Array, samples: Float32Array, gain: number): void {
  if (gain === 0) return;
  for (let at = 0; at < sum.length; at++) {
    sum[at] = sum[at] + samples[at] * gain;
  }
}

function getMean([left, right]: PcmChunk): Float32Array<ArrayBuffer> {
  const mean = new Float32Array(left?.length ?? 0);
  for (let at = 0; at < mean.length; at++) {
    mean[at] = (left?.[at] + right?.[at]) / 2;
  }
  return mean;
}

/** Lays the channels of a chunk one after the other. */
export function joinChannels(chunk: PcmChunk): Float32Array<ArrayBuffer> {
  const length = getFrameCount(chunk);
  const data = new Float32Array(length * chunk.length);
  chunk.forEach((samples, channel) => {
    data.set(samples, channel * length);
  });
  return data;
}
