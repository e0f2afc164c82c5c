// @module-tag long

import type { Page } from 'playwright';
import { expect, inject, test } from 'vitest';
import { createTestPicture } from '../support/pictures.ts';
import { connectBrowser, convertFile } from '../support/visit.ts';

const visit = connectBrowser();

test('a browser without free storage still gives the result, stores none, and says what a reload would lose', async () => {
  // Before the page opens its databases: the browser remembers for a while how much room they have.
  const prepare = async (page: Page) => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Storage.overrideQuotaForOrigin', { origin: inject('studioUrl'), quotaSize: 1 });
  };
  const { page, complaints } = await visit('/convert', { prepare });
  const [name, bytes] = await convertFile(page, 'BMP', await createTestPicture());
  expect(name).toBe('holiday.bmp');
  expect(bytes.length).toBeGreaterThan(18_000);
  expect(complaints).toEqual([]);
  await page
    .getByText('A reload would lose 1 file and 1 result: this browser could not store them.')
    .waitFor();
  await page.goto('/recent');
  await page.getByText('Nothing here yet.').waitFor();
});
