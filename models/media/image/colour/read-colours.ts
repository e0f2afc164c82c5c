import { type ColourEncoding, isHighDynamicRange, isSrgb } from '../../../kernels/colour/colour-encoding.ts';
import { OperationError } from '../../../core/operation/errors.ts';
import type { ImageFormat, ImageMetadata } from '../../../core/runtime/image-codec.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { tiffStreamOf } from '../exif/exif.ts';
import { readHeifEncoding, type TrackColours } from '../heif/read-encoding.ts';
import { encodingProfile } from '../icc/encoding-profile.ts';
import { isCmykJpeg, isGreyJpeg } from '../jpeg/count-components.ts';
import { isGreyPng, readPngEncoding } from '../png/read-encoding.ts';
import { readTiffEncoding } from '../tiff/read-encoding.ts';
import { readExifEncoding } from '../tiff/read-exif-encoding.ts';

/**
 * Meaning of the samples of an image file:
 * - `srgb`, by statement or for want of one; a profile in the file does not count;
 * - `profile`, the ICC profile in the file;
 * - `stated`, an encoding outside of a profile, which decoders do not apply, as the profile that says the same;
 * - `hdr`, an encoding of high dynamic range, which must be tone-mapped.
 */
export type SampleColours =
  | { readonly kind: 'srgb' }
  | { readonly kind: 'profile' | 'stated'; readonly icc: Bytes }
  | { readonly kind: 'hdr'; readonly encoding: ColourEncoding };

/**
 * Reads what the samples of an image mean. Every decoder takes it from here.
 * @param found metadata of the file, as it stands there
 */
export function readColours(
  file: Bytes,
  format: ImageFormat,
  { icc, exif }: Pick<ImageMetadata, 'icc' | 'exif'>,
): SampleColours {
  const png = format === 'png' ? readPngEncoding(file) : null;
  if (icc && !png?.outranksProfile) return { kind: 'profile', icc };
  const encoding = png?.encoding ?? (png ? null : readEncoding(file, format, exif));
  const isGrey = format === 'png' ? isGreyPng(file) : format === 'jpeg' && isGreyJpeg(file);
  return coloursOf(encoding, isGrey);
}

/** Returns what the frames of a sequence mean: its profile ranks above code points. */
export function sequenceColours({ icc, encoding }: TrackColours): SampleColours {
  return icc ? { kind: 'profile', icc } : coloursOf(encoding ?? null, false);
}

function coloursOf(encoding: ColourEncoding | null, isGrey: boolean): SampleColours {
  if (!encoding || isSrgb(encoding)) return { kind: 'srgb' };
  if (isHighDynamicRange(encoding)) return { kind: 'hdr', encoding };
  const profile = encodingProfile(encoding, isGrey);
  return profile ? { kind: 'stated', icc: profile } : { kind: 'srgb' };
}

function readEncoding(file: Bytes, format: ImageFormat, exif: Bytes | undefined): ColourEncoding | null {
  switch (format) {
    case 'jpeg':
      // EXIF knows no inks: what it says of those describes the image before it was separated.
      return exif && !isCmykJpeg(file) ? readExifEncoding(tiffStreamOf(exif)) : null;
    case 'tiff':
      return readTiffEncoding(file);
    case 'avif':
    case 'heic':
      return orNull(() => readHeifEncoding(file));
    default:
      return null;
  }
}

/** A description that cannot be read states nothing; whether the image can, its decoder decides. */
function orNull(read: () => ColourEncoding | null): ColourEncoding | null {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof OperationError || thrown instanceof RangeError) return null;
    throw thrown;
  }
}
