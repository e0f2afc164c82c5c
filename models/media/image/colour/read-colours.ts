import type { ImageMetadata } from '../../../core/runtime/image-codec.ts';
import {
  type ColourEncoding,
  fullRange,
  isHighDynamicRange,
  isSrgb,
  type LightCurve,
  type Transfer,
} from '../../../kernels/colour/colour-encoding.ts';
import { toXyzD50 } from '../../../kernels/colour/xyz-matrix.ts';
import { toLinear } from '../../../kernels/resize/srgb-curve.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { getFormat } from '../find-format.ts';
import type { TrackColours } from '../heif/read-encoding.ts';
import { SRGB_CURVE } from '../icc/srgb-profile.ts';
import { parametricCurve, sampledCurve, writeProfile } from '../icc/write-profile.ts';

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

/**
 * Writes the ICC profile that says the same as an encoding, so that every decoder and target treats both alike.
 * @param isGrey whether the samples are grey, which a profile for RGB does not fit
 * @returns null when the primaries span no colours
 */
export function encodingProfile(encoding: ColourEncoding, isGrey: boolean): Bytes | null {
  const toXyz = toXyzD50(encoding.primaries);
  if (!toXyz) return null;
  const channels = isGrey ? ([1] as const) : ([0, 1, 2] as const);
  const curves = channels.map((channel) => curveOf(encoding, channel));
  return writeProfile({ name: NAME, curves, toXyz });
}

function curveOf({ transfer, isNarrow }: ColourEncoding, channel: 0 | 1 | 2): Bytes {
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
