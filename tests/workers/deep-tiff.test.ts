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

test('a TIFF with 16 bits per sample keeps them on the device', async () => {
  const outcome = await page.convert(await tiff(16), { to_format: 'png' });
  expect(outcome).toMatchObject({ ok: true, warnings: [] });
  const read = async (file: Uint8Array) =>
    new Uint16Array((await sharp(file).toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer()).buffer);
  const before = new Uint8Array(await (await tiff(16)).arrayBuffer());
  expect(await read(outcome.bytes)).toEqual(await read(before));
});
