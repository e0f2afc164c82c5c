// @module-tag long

import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { imageFormatOf } from '../../../models/media/image/find-format.ts';
import { createTestPicture } from '../support/pictures.ts';
import { connectBrowser, convertFile } from '../support/visit.ts';

const visit = connectBrowser();

/** Runs in the page before everything else, but not in its workers: removes all decoders and encoders. */
function takeCodecsAway(): void {
  for (const name of ['WebAssembly', 'ImageDecoder', 'OffscreenCanvas', 'CompressionStream']) {
    Reflect.deleteProperty(globalThis, name);
  }
  Reflect.deleteProperty(HTMLCanvasElement.prototype, 'toBlob');
  Reflect.deleteProperty(HTMLCanvasElement.prototype, 'toDataURL');
}

test.each(['JPG', 'PNG', 'WebP', 'AVIF', 'HEIC'])(
  'converting to %s uses no codec on the main thread',
  async (label) => {
    const prepare = (page: Page) => page.addInitScript(takeCodecsAway);
    const { page, complaints } = await visit('/convert', { prepare });
    expect(await page.evaluate(() => 'WebAssembly' in globalThis)).toBe(false);
    const [, bytes] = await convertFile(page, label, await createTestPicture());
    expect(imageFormatOf(bytes)).toBe(label === 'JPG' ? 'jpeg' : label.toLowerCase());
    expect(complaints).toEqual([]);
  },
);
