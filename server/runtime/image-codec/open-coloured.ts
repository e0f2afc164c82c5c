import { type Bytes, concat } from '../../../models/files/bytes/byte-writer.ts';
import { readColours, type SampleColours } from '../../../models/files/colours/read-colours.ts';
import { recolourPicture } from '../../../models/files/colours/recolour-picture.ts';
import { profileSpace } from '../../../models/files/icc/read-profile.ts';
import { writeJpegMetadata } from '../../../models/files/jpeg/write-metadata.ts';
import { readMetadata } from '../../../models/files/metadata/read-metadata.ts';
import { isGreyPng } from '../../../models/files/png/read-encoding.ts';
import { isDeepPng } from '../../../models/files/png/read-png.ts';
import { replacePngProfile } from '../../../models/files/png/replace-profile.ts';
import type { DecodeOptions, ImageFormat, Picture } from '../../../models/runtime/image-codec.ts';
import { openWithSharp } from './sharp-picture.ts';
import { inflateAtMost } from './zlib.ts';

/** Limit on a profile or XMP, unpacked. */
export const METADATA_BYTES_MAX = 16_000_000;

/**
 * Opens a file with sharp, in the colours that it states: libvips knows those of an ICC profile only.
 * @throws OperationError `unprocessable`
 */
export async function openColoured(
  file: Bytes,
  format: ImageFormat,
  options: DecodeOptions,
): Promise<Picture> {
  const { metadata } = await readMetadata(file, format, inflateAtMost(METADATA_BYTES_MAX));
  const colours = readColours(file, format, metadata);
  const stated = colours.kind === 'stated' ? stateProfile(file, format, colours.icc) : null;
  if (stated) return openWithSharp(stated, options);
  const plain = isOutranked(colours, format) && metadata.icc ? replacePngProfile(file, undefined) : file;
  const picture = await openWithSharp(plain, options);
  return recolourPicture(
    picture,
    isPassedOver(colours, picture) ? { ...colours, kind: 'stated' } : colours,
    options,
  );
}

/** Reports whether sharp applies no profile: it leaves out grey of 16 bits. */
function isPassedOver(colours: SampleColours, { bitDepth }: Picture): colours is ProfileColours {
  return colours.kind === 'profile' && bitDepth === 16 && profileSpace(colours.icc) === 'GRAY';
}

type ProfileColours = Extract<SampleColours, { readonly icc: Bytes }>;

/**
 * Writes a profile into a file, so that libvips can convert it strip by strip.
 * @returns null for formats whose samples must be converted once decoded
 */
function stateProfile(file: Bytes, format: ImageFormat, icc: Bytes): Bytes | null {
  if (format === 'png') return isGreyPng(file) && isDeepPng(file) ? null : replacePngProfile(file, icc);
  return format === 'jpeg' ? concat(writeJpegMetadata(file, { icc })) : null;
}

/** Reports whether a profile in the file does not count. */
function isOutranked({ kind }: SampleColours, format: ImageFormat): boolean {
  return format === 'png' && kind !== 'profile';
}
