import { adjustPicture } from '../../kernels/resize/adjust-picture.ts';
import type { Adjustments } from '../../kernels/resize/resize-plan.ts';
import type { EncoderTuning, ImageCodec } from '../../core/runtime/image-codec.ts';
import { tuningFor } from '../../core/device/encoder-tuning.ts';

/**
 * Settings of a run on the visitor's own device, for every image it reads and writes. The API has no fields for them.
 */
export interface DeviceSettings {
  readonly adjustments?: Adjustments;
  readonly tuning?: EncoderTuning;
}

/** Returns a codec that adjusts each image it decodes, and tunes the encoder of each it encodes. */
export function withSettings(codec: ImageCodec, { adjustments, tuning = {} }: DeviceSettings): ImageCodec {
  return {
    async decode(input, options) {
      const picture = await codec.decode(input, options);
      return adjustments ? adjustPicture(picture, adjustments) : picture;
    },
    encode: (picture, options) =>
      codec.encode(picture, { ...options, tuning: tuningFor(options.format, tuning) }),
  };
}
