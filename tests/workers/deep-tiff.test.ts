import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';

const SIDE = 16;
let page: WorkerPage;
beforeAll(async () => {
  page = await openSharedWorkerPage();
});
afterAll(() => page.stop());

async function tiff(bits: 8 | 16): Promise<Blob> {
  const values = Array.from({ length: SIDE * SIDE * 3 }, (_, at) => (at * 997) % 2 ** bits);
  const samples = bits === 16 ? Uint16Array.from(values) : Uint8Array.from(values);
  const picture = sharp(samples, { raw: { width: SIDE, height: SIDE, channels: 3 } });
  const coloured = picture.toColourspace(bits === 16 ? 'rgb16' : 'srgb');
  return new Blob([new Uint8Array(await coloured.tiff({ compression: 'lzw' }).toBuffer())]);
}

test('a TIFF with 16 bits per sample gives a warning that 8 were read, when the target could hold more', async () => {
  const outcome = await page.convert(await tiff(16), { to_format: 'png' });
  const message = 'The image has 16 bits per sample, of which 8 could be read here.';
  const warnings = [{ kind: 'fewer_bits', names: ['16', '8'], message }];
  expect(outcome).toMatchObject({ ok: true, warnings });
});

test('a TIFF gives no warning when the target or the file has 8 bits', async () => {
  expect(await page.convert(await tiff(16), { to_format: 'jpg' })).toMatchObject({ warnings: [] });
  expect(await page.convert(await tiff(8), { to_format: 'png' })).toMatchObject({ warnings: [] });
});
