// @module-tag long

import { resolve } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { drawGrayLines, drawThinLines, RED } from '../support/media/drawings.ts';

let page: WorkerPage;
beforeAll(async () => {
  page = await openSharedWorkerPage();
});
afterAll(() => page?.stop());

async function convertOnDevice(image: Sharp, params: object): Promise<Buffer> {
  const outcome = await page.convert(new Blob([new Uint8Array(await image.png().toBuffer())]), params);
  expect(outcome).toMatchObject({ ok: true });
  return Buffer.from(outcome.bytes);
}

test('on the device webp keeps every sample of a drawing', async () => {
  for (const quality of [20, 92, 100]) {
    const file = await convertOnDevice(drawThinLines(), { to_format: 'webp', quality });
    expect(await sharp(file).raw().toBuffer()).toEqual(await drawThinLines().raw().toBuffer());
  }
});

test('on the device a drawing with alpha keeps both in webp', async () => {
  const lines = await drawThinLines().ensureAlpha(0.5).raw().toBuffer();
  const drawing = sharp(lines, { raw: { width: 160, height: 120, channels: 4 } });
  const file = await convertOnDevice(drawing, { to_format: 'webp' });
  expect(await sharp(file).raw().toBuffer()).toEqual(lines);
});

test.each(['jpg', 'avif'])('on the device thin red lines stay red as %s', async (to_format) => {
  const file = await convertOnDevice(drawThinLines(), { to_format });
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (50 * info.width + 4) * 3;
  RED.forEach((value, channel) => {
    expect(Math.abs((data[at + channel] as number) - value)).toBeLessThanOrEqual(24);
  });
});

test('on the device a photograph is coded with half the colour resolution', async () => {
  const photograph = sharp(resolve(import.meta.dirname, '../../public/samples/lemur.jpg')).resize(320);
  const jpeg = await convertOnDevice(photograph, { to_format: 'jpg' });
  expect(await sharp(jpeg).metadata()).toMatchObject({ chromaSubsampling: '4:2:0', isProgressive: false });
});

test.each(['jpg', 'avif', 'heic'])('on the device gray stays gray as %s', async (to_format) => {
  const file = await convertOnDevice(drawGrayLines(), { to_format });
  const back = await page.convert(new Blob([new Uint8Array(file)]), { to_format: 'png' });
  const data = await sharp(Buffer.from(back.bytes)).removeAlpha().raw().toBuffer();
  for (let at = 0; at < data.length; at += 3) {
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) expect.fail(`coloured at ${at / 3}`);
  }
});
