import {
  type ColourEncoding,
  fullRange,
  type LightCurve,
  type Transfer,
} from '../../../kernels/colour/colour-encoding.ts';
import { toXyzD50 } from '../../../kernels/colour/xyz-matrix.ts';
import { toLinear } from '../../../kernels/resize/srgb-curve.ts';
import type { Bytes } from '../../bytes/byte-writer.ts';
import { SRGB_CURVE } from './srgb-profile.ts';
import { parametricCurve, sampledCurve, writeProfile } from './write-profile.ts';

const NAME = 'Colours of the source';

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
