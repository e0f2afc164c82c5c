import { OperationError } from '../../../models/errors.ts';

/** Image that a visitor can try a tool with, and the product's own result for it (scripts/samples.ts). */
export interface Sample {
  readonly url: string;
  readonly mediaType: string;
  readonly preview: { readonly url: string; readonly width: number; readonly height: number };
  readonly resultUrl: string;
  readonly alt: string;
}

/** Rendered procedurally. */
export const RIDGE: Sample = {
  url: '/samples/ridge.jpg',
  mediaType: 'image/jpeg',
  preview: { url: '/samples/ridge-small.webp', width: 1200, height: 800 },
  resultUrl: '/samples/ridge.avif',
  alt: 'Mountain ridges at dusk, mirrored in a lake',
};

/** From the pymatting project (github.com/pymatting/pymatting, data/lemur/lemur.png), under the MIT licence. */
export const LEMUR: Sample = {
  url: '/samples/lemur.jpg',
  mediaType: 'image/jpeg',
  preview: { url: '/samples/lemur.jpg', width: 680, height: 440 },
  resultUrl: '/samples/lemur-cutout.webp',
  alt: 'A black and white lemur on a tree stump',
};

export const SAMPLES: readonly Sample[] = [RIDGE, LEMUR];

/**
 * Fetches a sample.
 * @throws OperationError `unavailable` when the server sends another response, or none
 */
export async function fetchSample({ url, mediaType }: Sample): Promise<File> {
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) {
    throw new OperationError(
      'unavailable',
      'The sample could not be loaded. Check your connection and try again.',
    );
  }
  return new File([await response.blob()], url.slice(url.lastIndexOf('/') + 1), { type: mediaType });
}
