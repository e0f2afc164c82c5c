import type { DecodeOptions, ImageMetadata, Picture } from '../../../models/core/runtime/image-codec.ts';
import { straightenAlpha } from '../../../models/kernels/raster/picture.ts';
import type { Bytes } from '../../../models/media/bytes/byte-writer.ts';
import { readColours, recolourPicture } from '../../../models/media/image/colours.ts';
import { getFormat } from '../../../models/media/image/find-format.ts';
import {
  isLinearInShadows,
  profileSpace,
  readMatrixProfile,
} from '../../../models/media/image/icc/read-profile.ts';
import { readMetadata } from '../../../models/media/image/metadata.ts';
import { applyColours } from './open-samples.ts';
import { openWithSharp } from './sharp-picture.ts';
import { inflateAtMost } from './zlib.ts';

/** Limit on a profile or XMP, unpacked. */
export const METADATA_BYTES_MAX = 16_000_000;

/**
 * Opens a file with sharp, in the colours that it states: libvips knows those of an ICC profile only.
 * @throws OperationError `unprocessable`
 */
export async function openColoured(file: Bytes, format: string, options: DecodeOptions): Promise<Picture> {
  const { metadata } = await readMetadata(file, format, inflateAtMost(METADATA_BYTES_MAX));
  const colours = await readColours(file, format, metadata);
  const { replaceProfile, isPremultiplied } = await getFormat(format).load();
  if (isPremultiplied?.(file)) {
    // Colours are converted once they are divided: curves hold for straight ones only.
    const stored = await openWithSharp(file, format, { ...options, colour: 'own' }, metadata);
    const { icc: _, ...others } = stored.metadata;
    return applyColours({ ...straightenAlpha(stored), metadata: others }, colours, options);
  }
  // With a profile in the file, libvips can convert it strip by strip.
  const stated = colours.kind === 'stated' ? replaceProfile?.(file, colours.icc) : null;
  const hasProfile = Boolean(stated) || colours.kind === 'profile';
  const isOutranked = metadata.icc !== undefined && colours.kind !== 'profile';
  const coloured = stated ?? ((isOutranked && replaceProfile?.(file, undefined)) || file);
  const picture = await openWithSharp(coloured, format, options, metadata);
  if (hasProfile && 'icc' in colours && isConvertedWrong(colours.icc, picture, options)) {
    return openAsStored(coloured, format, { ...metadata, icc: colours.icc }, options);
  }
  return hasProfile ? picture : recolourPicture(picture, colours, options);
}

/** Limit on an image that is converted in memory. */
const CONVERTED_PIXELS_MAX = 25_000_000;

/**
 * Reports whether sharp converts an image wrong. Of those with 16 bits per sample it leaves out grey. Where dark
 * samples are bright, the engine of libvips tints grey, and with 16 bits is off by up to 15 of 255 levels.
 */
function isConvertedWrong(
  icc: Bytes,
  { bitDepth, width, height, frameCount }: Picture,
  options: DecodeOptions,
): boolean {
  if (profileSpace(icc) === 'GRAY') return bitDepth === 16;
  const matrix = options.colour === 'srgb' ? readMatrixProfile(icc) : null;
  const isSmall = width * height * frameCount <= CONVERTED_PIXELS_MAX;
  return matrix !== null && isSmall && isLinearInShadows(matrix);
}

/** Opens a file with its samples as they stand, and converts them from a profile. */
async function openAsStored(
  file: Bytes,
  format: string,
  found: ImageMetadata & { readonly icc: Bytes },
  options: DecodeOptions,
): Promise<Picture> {
  const { icc } = found;
  const picture = await openWithSharp(file, format, { ...options, colour: 'own' }, found);
  const { icc: _, ...metadata } = picture.metadata;
  return { ...recolourPicture(picture, { kind: 'stated', icc }, options), metadata };
}
