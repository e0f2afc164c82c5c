import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ascii, box, concat } from '../../../../models/media/bytes/byte-writer.ts';
import { findMissingEnd } from '../../../../models/media/containers/find-missing-end.ts';
import { freeSpaceHead, repairFragments } from '../../../../models/media/containers/repair-fragments.ts';
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

const FRAGMENT = concat([box('moof', box('mfhd', new Uint8Array(8))), box('mdat', new Uint8Array(100))]);
const START = concat([box('ftyp', ascii('isom')), box('moov'), FRAGMENT]);

/** Reads type and length of the box that begins with a head, as ISO 14496-12, 4.2 states them. */
function readHead(head: Uint8Array): readonly [string, number] {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const short = view.getUint32(0);
  const length = short === 1 ? Number(view.getBigUint64(8)) : short;
  return [String.fromCharCode(...head.subarray(4, 8)), length];
}

test('damage between fragments is free space of its length', async () => {
  const damaged = new Blob([START, new Uint8Array(5000).fill(0xff), FRAGMENT]);
  const repaired = new Uint8Array(await (await repairFragments(damaged)).arrayBuffer());
  expect(repaired).toHaveLength(damaged.size);
  expect(readHead(repaired.subarray(START.length))).toEqual(['free', 5000]);
  expect(repaired.subarray(START.length + 5000)).toEqual(FRAGMENT);
});

// Blobs of Node end at 4 GiB: only browsers have such files.
test.each([8, 5000, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 5000, 2 ** 40])(
  'free space has a length of %s bytes',
  (length) => {
    expect(readHead(freeSpaceHead(length))).toEqual(['free', length]);
  },
);
