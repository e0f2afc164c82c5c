import type { EncoderTuning, ImageFormat } from '../runtime/image-codec.ts';

/** Number of colours of a palette. */
export const COLOURS_MIN = 2;
export const COLOURS_MAX = 256;

/** Settings that the encoder of each format has. */
export const TUNINGS: Readonly<Record<ImageFormat, readonly (keyof EncoderTuning)[]>> = {
  jpeg: ['chroma', 'isProgressive'],
  png: ['colours'],
  webp: ['isLossless', 'effort'],
  gif: ['colours'],
  bmp: [],
  tiff: [],
  avif: ['chroma', 'effort'],
  heic: [],
};

/** Returns those of the settings that the format's encoder has; undefined when there are none. */
export function tuningFor(format: ImageFormat, tuning: EncoderTuning): EncoderTuning | undefined {
  const own = TUNINGS[format].filter((name) => tuning[name] !== undefined);
  return own.length > 0 ? Object.fromEntries(own.map((name) => [name, tuning[name]])) : undefined;
}
