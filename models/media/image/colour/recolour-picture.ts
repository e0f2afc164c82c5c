import type { DecodeOptions, Picture } from '../../../core/runtime/image-codec.ts';
import type { Raster } from '../../../core/runtime/raster.ts';
import { formatWarning } from '../../../core/runtime/run-warnings.ts';
import { toneMapToSrgb } from '../../../kernels/colour/tone-map.ts';
import { convertToSrgb } from '../icc/convert-to-srgb.ts';
import { profileSpace, readMatrixProfile } from '../icc/read-profile.ts';
import type { SampleColours } from './read-colours.ts';

/**
 * Gives an image, decoded without regard to its colours, those that the file states outside of a profile: `own` keeps
 * the samples and adds the profile that says the same; `srgb` converts them. High dynamic range is tone-mapped always.
 * @returns the same image when nothing is stated, or when its decoder has applied the profile
 */
export function recolourPicture(
  picture: Picture,
  colours: SampleColours,
  { colour }: Pick<DecodeOptions, 'colour'>,
): Picture {
  if (colours.kind === 'hdr') {
    const { encoding } = colours;
    const warnings = [...(picture.warnings ?? []), formatWarning('tone_mapped')];
    return { ...mapFrames(picture, (frame) => toneMapToSrgb(frame, encoding)), warnings };
  }
  if (colours.kind !== 'stated') return picture;
  if (colour === 'own' && profileSpace(colours.icc) === 'RGB ') {
    return { ...mapFrames(picture, () => {}), metadata: { ...picture.metadata, icc: colours.icc } };
  }
  const profile = readMatrixProfile(colours.icc);
  return profile ? mapFrames(picture, (frame) => convertToSrgb(frame, profile)) : picture;
}

/** Changes a copy of each frame as it is read: an image may yield the same samples again to whoever reads it twice. */
function mapFrames(picture: Picture, change: (frame: Raster) => void): Picture {
  const { width, height, frameCount, loopCount, hasAlpha, bitDepth, fileBitDepth, metadata, warnings } =
    picture;
  return {
    width,
    height,
    frameCount,
    loopCount,
    hasAlpha,
    bitDepth,
    ...(fileBitDepth !== undefined && { fileBitDepth }),
    metadata,
    ...(warnings && { warnings }),
    async *frames(options) {
      for await (const frame of picture.frames(options)) {
        const changed = { ...frame, data: frame.data.slice() };
        change(changed);
        yield changed;
      }
    },
  };
}
