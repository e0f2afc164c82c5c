import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import * as samples from '../../../app/studio/files/samples.ts';

const { fetchSample: _, ...SAMPLES } = samples;
const PUBLIC = join(import.meta.dirname, '../../../public');
/** Limit of the images that the home page loads until its end, for work without a network as well. */
const BYTES_MAX = 250_000;

test('all images of the home page weigh at most 250 kB', async () => {
  const folder = join(PUBLIC, 'samples');
  const shown = (await readdir(folder)).filter((name) => /-\d+\.avif$/.test(name));
  const sizes = await Promise.all(shown.map(async (name) => (await stat(join(folder, name))).size));
  expect(shown.length).toBeGreaterThan(10);
  expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(BYTES_MAX);
});

test.each(Object.entries(SAMPLES))(
  'the previews of %s have the size that pages reserve',
  async (_name, each) => {
    for (const { url, width, height } of [each.preview, each.resultPreview]) {
      expect(await sharp(join(PUBLIC, url)).metadata()).toMatchObject({ width, height });
    }
  },
);
