import sharp from 'sharp';

const SIZE = { width: 320, height: 240 };

/** Makes a small image unlike that of any other number, so that no job finds its result in the cache. */
export async function makeImage(number: number): Promise<Blob> {
  const background = { r: number % 256, g: Math.floor(number / 256) % 256, b: 96 };
  const png = await sharp({ create: { ...SIZE, channels: 3, background } })
    .png()
    .toBuffer();
  return new Blob([new Uint8Array(png)], { type: 'image/png' });
}
