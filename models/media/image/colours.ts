import type { DecodeOptions, ImageMetadata, Picture } from '../../core/runtime/image-codec.ts';
import { formatWarning } from '../../core/runtime/run-warnings.ts';
import {
  type ColourEncoding,
  fullRange,
  isHighDynamicRange,
  isSrgb,
  type LightCurve,
  type Transfer,
} from '../../kernels/colour/colour-encoding.ts';
import { toneMapToSrgb } from '../../kernels/colour/tone-map.ts';
import { toLinear, toXyzD50 } from '../../kernels/colour/xyz-matrix.ts';
import { mapFrames } from '../../kernels/raster/picture.ts';
import type { Bytes } from '../bytes/byte-writer.ts';
import { getFormat } from './find-format.ts';
import type { TrackColours } from './heif/read-encoding.ts';
import { convertToSrgb } from './metadata/convert-to-srgb.ts';
import { profileSpace, readMatrixProfile } from './metadata/read-profile.ts';
import { parametricCurve, SRGB_CURVE, sampledCurve, writeProfile } from './metadata/write-profile.ts';

const NAME = 'Colours of the source';

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
  return getColours(code.readEncoding?.(file, exif) ?? null, code.isGrey?.(file) ?? false);
}

/** Returns what the frames of a sequence mean: its profile ranks above code points. */
export function sequenceColours({ icc, encoding }: TrackColours): SampleColours {
  return icc ? { kind: 'profile', icc } : getColours(encoding ?? null, false);
}

function getColours(encoding: ColourEncoding | null, isGrey: boolean): SampleColours {
  if (!encoding || isSrgb(encoding)) return { kind: 'srgb' };
  if (isHighDynamicRange(encoding)) return { kind: 'hdr', encoding };
  const profile = encodingProfile(encoding, isGrey);
  return profile ? { kind: 'stated', icc: profile } : { kind: 'srgb' };
}

/**
 * Writes the ICC profile that says the same as an encoding, so that every decoder and target treats both alike.
 * @param isGrey whether the samples are grey, which a profile for RGB does not fit
 * @returns null when the primaries span no colours
 */
export function encodingProfile(encoding: ColourEncoding, isGrey: boolean): Bytes | null {
  const toXyz = toXyzD50(encoding.primaries);
  if (!toXyz) return null;
  const channels = isGrey ? ([1] as const) : ([0, 1, 2] as const);
  const curves = channels.map((channel) => getCurve(encoding, channel));
  return writeProfile({ name: NAME, curves, toXyz });
}

function getCurve({ transfer, isNarrow }: ColourEncoding, channel: 0 | 1 | 2): Bytes {
  if (!isNarrow && transfer.kind === 'srgb') return parametricCurve(SRGB_CURVE);
  if (!isNarrow && transfer.kind === 'power') return parametricCurve([transfer.exponent]);
  const curve = lightCurve(transfer, channel);
  return sampledCurve(isNarrow ? (sample) => curve(fullRange(sample)) : curve);
}

function lightCurve(transfer: Transfer, channel: 0 | 1 | 2): LightCurve {
  if (transfer.kind === 'curves') return transfer.curves[channel];
  if (transfer.kind === 'power') return (sample) => sample ** transfer.exponent;
  return toLinear;
}

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
