import { outputFormat } from '../media/output-format.ts';

export const UPSCALED_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type UpscaledFormat = (typeof UPSCALED_FORMATS)[number];

/** Returns the format of an image's result. */
export function upscaledFormat(asked: string | undefined): UpscaledFormat {
  return outputFormat(UPSCALED_FORMATS, asked, 'an image');
}
