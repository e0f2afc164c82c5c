// @module-tag long

import { beforeAll, expect, test } from 'vitest';
import { getImageFormat } from '../../../models/media/image/find-format.ts';
import { prependStatement, type ServedFile, serveAlteredPages } from '../support/altered-pages.ts';
import { createTestPicture } from '../support/pictures.ts';
import { chooseFiles, connectBrowser, convertFile } from '../support/visit.ts';

const visit = connectBrowser();

/** Features that an older browser lacks. */
const OLDER = `{
  delete globalThis.ImageDecoder;
  delete globalThis.VideoDecoder;
  delete globalThis.VideoEncoder;
  if (globalThis.StorageManager) delete StorageManager.prototype.getDirectory;
  for (const Kind of [globalThis.Navigator, globalThis.WorkerNavigator]) if (Kind) delete Kind.prototype.gpu;
}`;

let older: string;
let notIsolated: string;
beforeAll(async () => {
  older = await serveAlteredPages((served) => prependStatement(served, OLDER));
  notIsolated = await serveAlteredPages(({ headers, body }: ServedFile) => {
    headers.delete('cross-origin-opener-policy');
    headers.delete('cross-origin-embedder-policy');
    return body;
  });
});

test.each(['WebP', 'AVIF', 'GIF', 'HEIC'])(
  'a browser without ImageDecoder, WebGPU, WebCodecs and file store still converts to %s',
  async (label) => {
    const { page, complaints } = await visit('/convert', { baseURL: older });
    expect(await page.evaluate(() => 'ImageDecoder' in globalThis || 'gpu' in navigator)).toBe(false);
    const [, bytes] = await convertFile(page, label, await createTestPicture());
    expect(getImageFormat(bytes)).toBe(label.toLowerCase());
    expect(complaints).toEqual([]);
  },
);

test('the settings list what such a browser lacks', async () => {
  const { page } = await visit('/settings', { baseURL: older });
  await page.getByText('This browser has no WebGPU.').waitFor();
  await page.getByText('On the CPU.').first().waitFor();
});

test.each(['convert', 'remove-bg', 'extend', 'upscale', 'moderate'])(
  'a page that is not isolated says that images need the server, and why, before a run: /%s',
  async (tool) => {
    const { page } = await visit(`/${tool}`, { baseURL: notIsolated });
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    await chooseFiles(page, [await createTestPicture()]);
    await page.getByText("1 image can't run on this device. Reading images needs threads").waitFor();
    await page.getByRole('link', { name: /^Sign up to run it for \$0\.\d+/ }).waitFor();
    expect(await page.getByRole('button', { name: /1 image$/ }).count()).toBe(0);
  },
);
