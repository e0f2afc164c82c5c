import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findMissingEnd } from '../../../../models/media/containers/find-missing-end.ts';
import { imageFixture } from '../../../support/media/images.ts';

const clip = async (name = 'moving.mp4') =>
  new Blob([await readFile(join(import.meta.dirname, '../../../fixtures/videos', name))]);
const FILES = [
  'camera.jpg',
  'interlaced.png',
  'lossless.webp',
  'fading.avif',
  'fading.heic',
  'moving.mp4',
  'spoken.webm',
  'top-first.mkv',
] as const;
const open = (name: string) => (/\.(mp4|webm|mkv)$/.test(name) ? clip(name) : imageFixture(name));

test.each(FILES)('a whole %s lacks nothing', async (name) => {
  expect(await findMissingEnd(await open(name))).toBeNull();
});

test.each(FILES)('the end of a %s that was cut off is missed', async (name) => {
  const whole = await open(name);
  const cut = await findMissingEnd(whole.slice(0, Math.floor(whole.size * 0.6)));
  if (name.endsWith('.jpg') || name.endsWith('.png')) expect(cut).toEqual({ presentShare: null });
  else expect(cut?.presentShare).toBeCloseTo(0.6, 1);
});

test('bytes behind the last marker are no fault', async () => {
  const noisy = new Blob([await imageFixture('camera.jpg'), 'made by a camera']);
  expect(await findMissingEnd(noisy)).toBeNull();
});

test('a file whose boxes refer to nowhere is left alone', async () => {
  const head = (await (await clip()).arrayBuffer()).slice(0, 16);
  const endless = new Blob([
    head,
    ...Array.from({ length: 100 }, () => new Uint8Array([0, 0, 0, 1, 109, 100, 97, 116])),
  ]);
  await expect(findMissingEnd(endless)).resolves.toBeDefined();
});
