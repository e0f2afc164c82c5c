/** A picture that a visitor can try things with, and what the product itself made of it (scripts/samples.ts). */
export interface Sample {
  readonly url: string;
  readonly mediaType: string;
  readonly preview: { readonly url: string; readonly width: number; readonly height: number };
  readonly resultUrl: string;
  readonly alt: string;
}

/** Made by arithmetic. */
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

export async function fetchSample({ url, mediaType }: Sample): Promise<File> {
  const response = await fetch(url);
  return new File([await response.blob()], url.slice(url.lastIndexOf('/') + 1), { type: mediaType });
}
