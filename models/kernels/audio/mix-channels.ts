import type { OutputChannelCount } from '../../runtime/audio-codec.ts';
import { frameCountOf, type PcmChunk } from '../../runtime/pcm.ts';

/** -3 dB. */
const HALF_POWER = Math.SQRT1_2;

/** Share of one channel in the left and the right output. */
type Gains = readonly [left: number, right: number];

const LEFT: Gains = [1, 0];
const RIGHT: Gains = [0, 1];
const CENTRE: Gains = [HALF_POWER, HALF_POWER];
const SURROUND_LEFT: Gains = [HALF_POWER, 0];
const SURROUND_RIGHT: Gains = [0, HALF_POWER];
const SURROUND_MIDDLE: Gains = [0.5, 0.5];
/** Bass effects, which ITU-R BS.775 leaves out. */
const EFFECTS: Gains = [0, 0];

/** Gains by channel count. Speakers are in the order of WAVE files, which decoders keep. */
const LAYOUTS: Readonly<Record<number, readonly Gains[]>> = {
  3: [LEFT, RIGHT, CENTRE],
  4: [LEFT, RIGHT, SURROUND_LEFT, SURROUND_RIGHT],
  5: [LEFT, RIGHT, CENTRE, SURROUND_LEFT, SURROUND_RIGHT],
  6: [LEFT, RIGHT, CENTRE, EFFECTS, SURROUND_LEFT, SURROUND_RIGHT],
  7: [LEFT, RIGHT, CENTRE, EFFECTS, SURROUND_MIDDLE, SURROUND_LEFT, SURROUND_RIGHT],
  8: [LEFT, RIGHT, CENTRE, EFFECTS, SURROUND_LEFT, SURROUND_RIGHT, SURROUND_LEFT, SURROUND_RIGHT],
};

/**
 * Converts a chunk to mono or stereo. Mono becomes two equal channels. Three to eight channels become stereo by
 * ITU-R BS.775-4, annex 4: centre and surrounds at -3 dB, bass effects left out, not normalized, so that peaks may
 * exceed full scale. More channels are reduced to their first two. Stereo becomes mono as the mean of both sides.
 */
export function mixChannels(chunk: PcmChunk, channelCount: OutputChannelCount): PcmChunk {
  if (chunk.length === channelCount) return chunk;
  const [first] = chunk;
  if (!first) return [];
  if (chunk.length === 1) return [first, first.slice()];
  const stereo = toStereo(chunk);
  return channelCount === 2 ? stereo : [meanOf(stereo)];
}

function toStereo(chunk: PcmChunk): PcmChunk {
  const layout = LAYOUTS[chunk.length];
  if (!layout) return chunk.slice(0, 2);
  return [0, 1].map((side) => {
    const mixed = new Float32Array(frameCountOf(chunk));
    layout.forEach((gains, channel) => {
      addScaled(mixed, chunk[channel] as Float32Array, gains[side] as number);
    });
    return mixed;
  });
}

function addScaled(sum: Float32Array, samples: Float32Array, gain: number): void {
  if (gain === 0) return;
  for (let at = 0; at < sum.length; at++) {
    sum[at] = (sum[at] as number) + (samples[at] as number) * gain;
  }
}

function meanOf([left, right]: PcmChunk): Float32Array<ArrayBuffer> {
  const mean = new Float32Array(left?.length ?? 0);
  for (let at = 0; at < mean.length; at++) {
    mean[at] = ((left?.[at] as number) + (right?.[at] as number)) / 2;
  }
  return mean;
}
