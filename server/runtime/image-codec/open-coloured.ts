import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { type Bytes, concat } from '../../../models/files/bytes/byte-writer.ts';
import { readColours, type SampleColours } from '../../../models/files/colours/read-colours.ts';
import { recolourPicture } from '../../../models/files/colours/recolour-picture.ts';
import { writeJpegMetadata } from '../../../models/files/jpeg/write-metadata.ts';
import { readMetadata } from '../../../models/files/metadata/read-metadata.ts';
import { replacePngProfile } from '../../../models/files/png/replace-profile.ts';
import type { DecodeOptions, ImageFormat, Picture } from '../../../models/runtime/image-codec.ts';
import { openWithSharp } from './sharp-picture.ts';

/** Limit on a profile or XMP, unpacked. */
const METADATA_BYTES_MAX = 16_000_000;

const unpack = promisify<Bytes, { maxOutputLength: number }, Buffer>(inflate);

/**
 * Opens a file with sharp, in the colours that it states: libvips knows those of an ICC profile only.
 * @throws OperationError `unprocessable`
 */
export async function openColoured(
  file: Bytes,
  format: ImageFormat,
  options: DecodeOptions,
): Promise<Picture> {
  const { metadata } = await readMetadata(file, format, async (packed) => {
    return new Uint8Array(await unpack(packed, { maxOutputLength: METADATA_BYTES_MAX }));
  });
  const colours = readColours(file, format, metadata);
  const stated = colours.kind === 'stated' ? stateProfile(file, format, colours.icc) : null;
  if (stated) return openWithSharp(stated, options);
  const plain = isOutranked(colours, format) && metadata.icc ? replacePngProfile(file, undefined) : file;
  return recolourPicture(await openWithSharp(plain, options), colours, options);
}

/**
 * Writes a profile into a file, so that libvips can convert it strip by strip.
 * @returns null for formats whose samples must be converted once decoded
 */
function stateProfile(file: Bytes, format: ImageFormat, icc: Bytes): Bytes | null {
  if (format === 'png') return replacePngProfile(file, icc);
  return format === 'jpeg' ? concat(writeJpegMetadata(file, { icc })) : null;
}

/** Reports whether a profile in the file does not count. */
function isOutranked({ kind }: SampleColours, format: ImageFormat): boolean {
  return format === 'png' && kind !== 'profile';
}
