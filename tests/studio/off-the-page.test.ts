import { expect, test } from 'vitest';
import { imageFormatOf } from '../../models/kernels/image-header.ts';
import { testPicture } from './support/pictures.ts';
import { convertTo, inBrowser } from './support/visit.ts';

const visit = inBrowser();

/** Runs in the page before all else, and not in its workers: takes away whatever decodes or encodes at length. */
function takeCodecsAway(): void {
  for (const name of ['WebAssembly', 'ImageDecoder', 'OffscreenCanvas', 'CompressionStream']) {
    Reflect.deleteProperty(globalThis, name);
  }
  Reflect.deleteProperty(HTMLCanvasElement.prototype, 'toBlob');
  Reflect.deleteProperty(HTMLCanvasElement.prototype, 'toDataURL');
}

test.each(['JPG', 'PNG', 'WebP', 'AVIF', 'HEIC'])(
  "the page's own thread, which must stay free for sixty frames a second, needs no codec for %s",
  async (label) => {
    const { page, complaints } = await visit('/device');
    await page.addInitScript(takeCodecsAway);
    await page.goto('/convert');
    expect(await page.evaluate(() => 'WebAssembly' in globalThis)).toBe(false);
    const [, bytes] = await convertTo(page, label, await testPicture());
    expect(imageFormatOf(bytes)).toBe(label === 'JPG' ? 'jpeg' : label.toLowerCase());
    expect(complaints).toEqual([]);
  },
);
