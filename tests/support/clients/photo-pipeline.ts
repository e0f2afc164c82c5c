import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect } from 'vitest';

const COUNT = 10;

/** Draws ten photos of balls before a wall, of which no two have the same bytes, into a folder. */
export async function writePhotos(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let at = 0; at < COUNT; at += 1) {
    const ball = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"><circle cx="240" cy="186" r="${100 + at}" fill="#d02818"/><circle cx="210" cy="150" r="30" fill="#f0a090"/></svg>`;
    const wall = sharp({ create: { width: 480, height: 360, channels: 3, background: '#c9d4c4' } });
    const photo = await wall
      .composite([{ input: Buffer.from(ball) }])
      .png()
      .toBuffer();
    await writeFile(join(folder, `ball-${at}.png`), photo);
  }
}

/** Checks the results of the example of a pipeline: two formats in three sizes of each photo, cut out. */
export async function expectPhotoResults(folder: string): Promise<void> {
  const names = await readdir(folder);
  const sizes = ['avif', 'webp'].flatMap((format) => [400, 1000, 2000].map((width) => ({ format, width })));
  const expected = Array.from({ length: COUNT }, (_, at) =>
    sizes.map(({ format, width }) => `ball-${at}-${format}-${width}.${format}`),
  );
  expect(names.toSorted()).toEqual(expected.flat().toSorted());
  for (const { format, width } of sizes) {
    const image = sharp(await readFile(join(folder, `ball-0-${format}-${width}.${format}`)));
    const metadata = await image.metadata();
    // An image never grows: the photo has 480 pixels.
    expect([metadata.width, metadata.hasAlpha]).toEqual([Math.min(width, 480), true]);
    const [corner] = await image
      .raw()
      .toBuffer()
      .then((pixels) => [pixels[3]]);
    expect(corner).toBe(0);
  }
}
