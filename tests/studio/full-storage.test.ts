import type { Page } from 'playwright';
import { expect, inject, test } from 'vitest';
import { testPicture } from './support/pictures.ts';
import { convertTo, inBrowser } from './support/visit.ts';

const visit = inBrowser();

test('a browser without free storage still gives the result, stores none, and says what a reload would lose', async () => {
  // Before the page opens its databases: the browser remembers for a while how much room they have.
  const prepare = async (page: Page) => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Storage.overrideQuotaForOrigin', { origin: inject('studioUrl'), quotaSize: 1 });
  };
  const { page, complaints } = await visit('/convert', { prepare });
  const [name, bytes] = await convertTo(page, 'BMP', await testPicture());
  expect(name).toBe('holiday.bmp');
  expect(bytes.length).toBeGreaterThan(18_000);
  expect(complaints).toEqual([]);
  await page.getByText('A reload would lose 1 file and 1 result: this browser has no room left.').waitFor();
  await page.goto('/recent');
  await page.getByText('Nothing here yet.').waitFor();
});
