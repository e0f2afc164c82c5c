import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import { type ColourEncoding, isHighDynamicRange, isSrgb } from '../../../kernels/colour/colour-encoding.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { getFormat } from '../find-format.ts';
import type { TrackColours } from '../heif/read-encoding.ts';
import { encodingProfile } from '../icc/encoding-profile.ts';

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
export async function readColours(
  file: Bytes,
  format: string,
  { icc, exif }: Pick<ImageMetadata, 'icc' | 'exif'>,
): Promise<SampleColours> {
  const code = await getFormat(format).load();
  if (icc && !code.outranksProfile?.(file)) return { kind: 'profile', icc };
  return coloursOf(code.readEncoding?.(file, exif) ?? null, code.isGrey?.(file) ?? false);
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
