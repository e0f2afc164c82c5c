import type { AudioSample } from 'mediabunny';
import type { PcmChunk } from '../../../core/runtime/pcm.ts';

/** Integer formats by the name of their type, with their full scale. */
const INTEGERS = {
  s16: { Samples: Int16Array, fullScale: 2 ** 15 },
  s32: { Samples: Int32Array, fullScale: 2 ** 31 },
} as const;

/**
 * Copies the samples of each channel, in -1 to 1. Integers are divided by their full scale here: some browsers divide
 * positive ones by one less, so that what is lossless came out changed.
 */
export function copyChannels(sample: AudioSample): PcmChunk {
  const { format, numberOfChannels, numberOfFrames } = sample;
  const [type, layout] = String(format).split('-');
  const integer = type === 's16' || type === 's32' ? INTEGERS[type] : null;
  return Array.from({ length: numberOfChannels }, (_, channel) => {
    const samples = new Float32Array(numberOfFrames);
    if (!integer) {
      sample.copyTo(samples, { format: 'f32-planar', planeIndex: channel });
      return samples;
    }
    const isPlanar = layout === 'planar';
    const plane = new integer.Samples(isPlanar ? numberOfFrames : numberOfFrames * numberOfChannels);
    sample.copyTo(plane, { format, planeIndex: isPlanar ? channel : 0 });
    const [first, step] = isPlanar ? [0, 1] : [channel, numberOfChannels];
    for (let frame = 0; frame < numberOfFrames; frame++) {
      samples[frame] = (plane[first + frame * step] ?? 0) / integer.fullScale;
    }
    return samples;
  });
}
