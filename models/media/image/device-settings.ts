import type { EncoderTuning, ImageCodec } from '../../core/runtime/image-codec.ts';
import { getFormat } from './find-format.ts';

/** Numbers of colours that the indices of a palette count: of 8, 4, 2 bits or one. */
export const PALETTE_SIZES = [256, 16, 4, 2];

/** Settings of a run on the visitor's own device, for every image it writes. The API has no fields for them. */
export interface DeviceSettings {
  readonly tuning?: EncoderTuning;
}

/** Returns a codec that tunes the encoder of each image it encodes. */
export function withSettings(codec: ImageCodec, { tuning = {} }: DeviceSettings): ImageCodec {
  return {
    ...codec,
    encode: (picture, options) =>
      codec.encode(picture, { ...options, tuning: tuningFor(options.format, tuning) }),
  };
}

/** Returns those of the settings that the format's encoder has; undefined when there are none. */
function tuningFor(format: string, tuning: EncoderTuning): EncoderTuning | undefined {
  const own = getFormat(format).tuning.filter((name) => tuning[name] !== undefined);
  return own.length > 0 ? Object.fromEntries(own.map((name) => [name, tuning[name]])) : undefined;
}
