import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkerPage, type WorkerPage } from '../support/worker-page.ts';

const SIDE = 16;
let page: WorkerPage;
beforeAll(async () => {
  page = await openWorkerPage();
});
afterAll(() => page.stop());

async function tiff(bits: 8 | 16): Promise<Blob> {
  const values = Array.from({ length: SIDE * SIDE * 3 }, (_, at) => (at * 997) % 2 ** bits);
  const samples = bits === 16 ? Uint16Array.from(values) : Uint8Array.from(values);
  const picture = sharp(samples, { raw: { width: SIDE, height: SIDE, channels: 3 } });
  const coloured = picture.toColourspace(bits === 16 ? 'rgb16' : 'srgb');
  return new Blob([new Uint8Array(await coloured.tiff({ compression: 'lzw' }).toBuffer())]);
}

test('a TIFF of 16 bits a sample says that 8 were read, where the target could hold more', async () => {
  const outcome = await page.convert(await tiff(16), { to_format: 'png' });
  const warnings = ['The image has 16 bits a sample, of which 8 could be read here.'];
  expect(outcome).toMatchObject({ ok: true, warnings });
});

test('where the target holds 8 bits, or the file has no more, there is nothing to say', async () => {
  expect(await page.convert(await tiff(16), { to_format: 'jpg' })).toMatchObject({ warnings: [] });
  expect(await page.convert(await tiff(8), { to_format: 'png' })).toMatchObject({ warnings: [] });
});
