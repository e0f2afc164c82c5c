import type { IMagickImage } from '@imagemagick/magick-wasm';
import {
  type GraphicsCoding,
  LOSSLESS_LEVEL_MAX,
} from '../../../models/media/image/quality/graphics-coding.ts';
import type { Magick } from './magick.ts';

/** Pixels up to which a JPEG is written in several passes: these hold all coefficients, 2 bytes a sample. */
const SEVERAL_PASSES_PIXELS_MAX = 16_000_000;

/** Applies the coding of a drawing to an image that is about to be written. */
export function codeGraphics(
  image: IMagickImage,
  format: string,
  { chroma, losslessLevel }: GraphicsCoding,
  magick: Magick,
): void {
  const { MagickFormat, Interlace } = magick;
  if (format === 'jpeg') {
    image.settings.setDefine(MagickFormat.Jpeg, 'sampling-factor', chroma === '4:2:0' ? '4:2:0' : '4:4:4');
    if (image.width * image.height <= SEVERAL_PASSES_PIXELS_MAX) image.settings.interlace = Interlace.Jpeg;
    else image.settings.setDefine(MagickFormat.Jpeg, 'optimize-coding', 'false');
  }
  if (format !== 'webp') return;
  if (chroma === 'sharp') image.settings.setDefine(MagickFormat.WebP, 'use-sharp-yuv', 'true');
  if (losslessLevel === undefined) return;
  image.settings.setDefine(MagickFormat.WebP, 'lossless', 'true');
  if (losslessLevel < LOSSLESS_LEVEL_MAX) {
    image.settings.setDefine(MagickFormat.WebP, 'near-lossless', String(losslessLevel));
  }
}

/** Gives the colours of an AVIF the resolution of its lightness. */
export function setFullChroma(image: IMagickImage, { MagickFormat }: Magick): void {
  image.settings.setDefine(MagickFormat.Heic, 'chroma', '444');
}
