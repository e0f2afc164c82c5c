import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkerPage } from '../../lab/support/worker-page.ts';
import type { DeviceSettings } from '../../models/media/image/device-settings.ts';
import { openSharedWorkerPage } from '../support/browser/worker-page.ts';
import { imageFixture } from '../support/media/images.ts';

let page: WorkerPage;
beforeAll(async () => {
  page = await openSharedWorkerPage();
});
afterAll(() => page?.stop());

async function converted(name: string, params: object, settings: DeviceSettings) {
  const outcome = await page.convert(await imageFixture(name), params, settings);
  expect(outcome).toMatchObject({ ok: true });
  return Buffer.from(outcome.bytes);
}

describe('an encoder that is tuned on the device', () => {
  const figures = async (file: Buffer) => {
    const { chromaSubsampling, isProgressive, isPalette } = await sharp(file).metadata();
    return { chromaSubsampling, isProgressive, isPalette };
  };

  test.each([
    ['jpg', { chroma: '4:4:4' }, { chromaSubsampling: '4:4:4' }],
    ['jpg', { chroma: '4:2:0', isProgressive: true }, { chromaSubsampling: '4:2:0', isProgressive: true }],
    ['png', { colours: 16 }, { isPalette: true }],
  ] as const)('writes %s as %j', async (to_format, tuning, expected) => {
    const file = await converted('camera.jpg', { to_format }, { tuning });
    expect(await figures(file)).toMatchObject(expected);
  });

  test('writes WebP without loss', async () => {
    const tuning = { isLossless: true };
    const file = await converted('grey.png', { to_format: 'webp', quality: 40 }, { tuning });
    const raw = (bytes: Buffer) => sharp(bytes).removeAlpha().toColourspace('srgb').raw().toBuffer();
    const source = Buffer.from(await (await imageFixture('grey.png')).arrayBuffer());
    expect((await raw(file)).equals(await raw(source))).toBe(true);
  });

  test('ignores settings that the format does not have', async () => {
    const plain = await converted('camera.jpg', { to_format: 'jpg' }, {});
    const tuned = await converted(
      'camera.jpg',
      { to_format: 'jpg' },
      { tuning: { isLossless: true, colours: 4 } },
    );
    expect(tuned.equals(plain)).toBe(true);
  });
});
