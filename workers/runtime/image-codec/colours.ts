import type { DecodeOptions, Picture } from '../../../models/core/runtime/image-codec.ts';
import type { Raster, Raster8 } from '../../../models/core/runtime/raster.ts';
import { toEightBits } from '../../../models/kernels/raster/pixel-format.ts';
import { recolourPicture, type SampleColours } from '../../../models/media/image/colours.ts';
import { convertToSrgb } from '../../../models/media/image/icc/convert-to-srgb.ts';
import { readMatrixProfile } from '../../../models/media/image/icc/read-profile.ts';
import { srgbProfile } from '../../../models/media/image/icc/write-profile.ts';
import type { Loading } from '../loading/assets.ts';
import { loadMagick, type Magick } from './magick.ts';
import { chooseProfile, type Source } from './source.ts';

/**
 * Converts samples from a decoder without colour management to sRGB, where their profile differs. A profile of curves
 * and a matrix, as cameras and screens have, is applied in place; one with tables is left to ImageMagick, in 8 bits.
 */
export async function applyProfile<Kind extends Raster>(
  raster: Kind,
  { profile }: Pick<Source, 'profile'>,
  loading: Loading,
): Promise<Raster> {
  if (!profile) return raster;
  const matrix = readMatrixProfile(profile);
  if (!matrix) return applyTables(toEightBits(raster), profile, await loadMagick(loading));
  convertToSrgb(raster, matrix);
  return raster;
}

/**
 * Gives a sequence, decoded without regard to its colours, those that its track states: in a profile or outside of one.
 */
export function applyColours(
  picture: Picture,
  colours: SampleColours,
  options: DecodeOptions,
  loading: Loading,
): Picture {
  if (colours.kind !== 'profile') return recolourPicture(picture, colours, options);
  const { metadata, profile } = chooseProfile({ ...picture.metadata, icc: colours.icc }, options);
  return {
    ...picture,
    metadata,
    async *frames(wanted) {
      for await (const frame of picture.frames(wanted)) {
        yield { ...frame, data: (await applyProfile(frame, { profile }, loading)).data };
      }
    },
  };
}

function applyTables({ width, height, data }: Raster8, profile: Uint8Array, magick: Magick): Raster8 {
  const image = magick.MagickImage.create();
  try {
    const settings = { format: magick.MagickFormat.Rgba, width, height, depth: 8 };
    image.read(data, new magick.MagickReadSettings(settings));
    image.transformColorSpace(new magick.ColorProfile(profile), new magick.ColorProfile(srgbProfile()));
    const samples = image.getPixels((pixels) => pixels.toByteArray(0, 0, width, height, 'RGBA'));
    return { width, height, data: new Uint8Array(samples ?? data) };
  } finally {
    image.dispose();
  }
}
