import type { IMagickImage } from '@imagemagick/magick-wasm';
import type { EncoderTuning } from '../../../models/core/runtime/image-codec.ts';
import type { Magick } from './magick.ts';

const WEBP_METHOD_MAX = 6;
/** From this quality on ImageMagick writes WebP without loss, where libwebp's method 1 is nearly as small as any. */
const LOSSLESS_QUALITY = 100;
const LOSSLESS_EFFORT = 1 / WEBP_METHOD_MAX;
/** libaom's speeds: slower ones take minutes for a photograph on one thread. */
const AVIF_SPEED_MIN = 6;
const AVIF_SPEED_MAX = 9;

/** Applies settings to an image that is about to be written. */
export function tuneMagick(image: IMagickImage, format: string, tuning: EncoderTuning, magick: Magick): void {
  const { isLossless, chroma, effort, colours, isProgressive } = tuning;
  const { MagickFormat } = magick;
  if (format === 'webp') {
    if (isLossless) image.quality = LOSSLESS_QUALITY;
    const share = effort ?? (isLossless ? LOSSLESS_EFFORT : undefined);
    if (share !== undefined)
      image.settings.setDefine(MagickFormat.WebP, 'method', String(Math.round(share * WEBP_METHOD_MAX)));
  }
  if (format === 'avif') {
    if (chroma) image.settings.setDefine(MagickFormat.Heic, 'chroma', chroma === '4:4:4' ? '444' : '420');
    if (effort !== undefined) {
      const speed = Math.round(AVIF_SPEED_MAX - effort * (AVIF_SPEED_MAX - AVIF_SPEED_MIN));
      image.settings.setDefine(MagickFormat.Heic, 'speed', String(speed));
    }
  }
  if (format === 'jpeg') {
    if (chroma) image.settings.setDefine(MagickFormat.Jpeg, 'sampling-factor', chroma);
    if (isProgressive) image.settings.interlace = magick.Interlace.Jpeg;
  }
  if (colours !== undefined) {
    const settings = new magick.QuantizeSettings();
    settings.colors = colours;
    settings.ditherMethod = magick.DitherMethod.FloydSteinberg;
    image.quantize(settings);
  }
}
