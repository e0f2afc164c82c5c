import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { heifThumbnailFile, readThumbnail } from '../../../../models/media/image/read-thumbnail.ts';
import { createNodeRuntime } from '../../../../server/runtime/node-runtime.ts';
import { createHeicWithThumbnail, THUMBNAIL } from '../../../support/media/thumbnail-files.ts';

const codecs = () => createNodeRuntime({ signal: new AbortController().signal });

async function meanOf(image: ArrayBuffer | Uint8Array) {
  const { channels } = await sharp(image).stats();
  return channels.slice(0, 3).map(({ mean }) => mean);
}

const { r, g, b } = THUMBNAIL.colour;
const near = (mean: readonly number[]) =>
  mean.every((value, at) => Math.abs(value - ([r, g, b][at] ?? 0)) < 6);

describe('the thumbnail of a HEIC', () => {
  test('is read alone and upright', async () => {
    const thumbnail = await readThumbnail(new Blob([await createHeicWithThumbnail()]), codecs());
    if (!thumbnail) throw new Error('It was not found.');
    const bytes = await thumbnail.arrayBuffer();
    const { width, height, format } = await sharp(bytes).metadata();
    expect([format, width, height]).toEqual(['png', THUMBNAIL.height, THUMBNAIL.width]);
    expect(near(await meanOf(bytes))).toBe(true);
  });

  test('is not there in a file of our own encoder, and in one without a description', async () => {
    const { images, signal } = codecs();
    const picture = await images.decode(new Blob([await createHeicWithThumbnail()]), {
      frames: 'first',
      colour: 'srgb',
      signal,
    });
    const options = { format: 'heic', quality: 50, background: [0, 0, 0], metadata: {}, signal } as const;
    const own = new Uint8Array(await (await images.encode(picture, options)).arrayBuffer());
    expect(heifThumbnailFile(own)).toBeNull();
    expect(heifThumbnailFile(new Uint8Array(0))).toBeNull();
  });
});
