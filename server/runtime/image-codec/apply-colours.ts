import type { DecodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import type { Frame } from '../../../models/core/runtime/raster.ts';
import { firstFrame } from '../../../models/kernels/raster/picture.ts';
import { recolourPicture, type SampleColours } from '../../../models/media/image/colours.ts';
import { readMatrixProfile } from '../../../models/media/image/icc/read-profile.ts';
import { openSamples } from './open-samples.ts';
import { isRgbProfile, type SharpPicture } from './sharp-picture.ts';

/**
 * Gives an image that one of our own decoders read, without regard to its colours, those that the file states: in a
 * profile or outside of one.
 */
export async function applyColours(
  picture: Picture,
  colours: SampleColours,
  options: DecodeOptions,
): Promise<Picture> {
  if (colours.kind !== 'profile') return recolourPicture(picture, colours, options);
  const { icc } = colours;
  // A profile of curves needs no colour engine.
  if (readMatrixProfile(icc) || (options.colour === 'own' && isRgbProfile(icc)))
    return recolourPicture(picture, { kind: 'stated', icc }, options);
  const profiled = { ...picture, metadata: { ...picture.metadata, icc } };
  if (picture.frameCount === 1) return openFrame(await firstFrame(picture), profiled, options);
  return {
    ...picture,
    async *frames(wanted) {
      for await (const frame of picture.frames(wanted)) {
        const { data } = await firstFrame(openFrame(frame, profiled, options));
        yield { ...frame, data };
      }
    },
  };
}

function openFrame(
  { width, height, data }: Frame,
  { hasAlpha, metadata, warnings = [] }: Picture,
  options: DecodeOptions,
): SharpPicture {
  const bitsPerSample = data instanceof Uint16Array ? 16 : 8;
  const facts = { width, height, channels: 4, hasAlpha, metadata, bitsPerSample, warnings } as const;
  return openSamples(facts, options, (samples) =>
    samples.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
  );
}
