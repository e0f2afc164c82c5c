/** The picture of our own that a visitor can try things with (made by scripts/samples.ts). */
export const SAMPLE = {
  name: 'ridge.jpg',
  url: '/samples/ridge.jpg',
  convertedUrl: '/samples/ridge.avif',
  previewUrl: '/samples/ridge-small.webp',
  previewWidth: 1200,
  previewHeight: 800,
  alt: 'Mountain ridges at dusk, mirrored in a lake',
} as const;

export async function fetchSample(): Promise<File> {
  const response = await fetch(SAMPLE.url);
  return new File([await response.blob()], SAMPLE.name, { type: 'image/jpeg' });
}
