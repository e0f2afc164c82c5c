// @module-tag long

import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { createTestPicture } from '../support/pictures.ts';
import { connectBrowser, downloadOnClick, expectNoLogsOrUploads } from '../support/visit.ts';
import { listZipEntries } from '../support/zip.ts';

interface Shared {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

const visit = connectBrowser();

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };

const COUNT = 100;

/** Puts a sheet into the place of the system's: it records what it is given, and refuses as often as it is told. */
const standInSheet = (page: Page) =>
  page.addInitScript(() => {
    const given: Shared[] = [];
    const sheet = { given, refusals: 0 };
    Object.assign(window, { sheet });
    navigator.canShare = () => true;
    navigator.share = async ({ files = [] } = {}) => {
      if (sheet.refusals-- > 0) throw new DOMException('The press is too long ago.', 'NotAllowedError');
      given.push(...files.map(({ name, type, size }) => ({ name, type, size })));
    };
  });

const readShared = (page: Page): Promise<Shared[]> =>
  page.evaluate(() => (window as unknown as { sheet: { given: Shared[] } }).sheet.given);

/** Takes photos one after the other, as a camera returns them. */
async function takePhotos(page: Page, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    await page
      .locator('input[capture=environment]')
      .setInputFiles(await createTestPicture(`photo-${at}.jpg`, at));
    await page.getByRole('button', { name: `Show photo-${at}.jpg` }).waitFor({ state: 'attached' });
  }
}

test('a hundred photos are taken, saved and shared, and nothing leaves the phone by us', async () => {
  const visited = await visit('/convert', { ...PHONE, prepare: standInSheet });
  const { page } = visited;
  await page.getByText('Add images').waitFor();
  await page.getByRole('button', { name: 'Take a photo' }).waitFor();
  await takePhotos(page, COUNT);
  await page.getByRole('button', { name: `Convert ${COUNT} images` }).click();
  const [name, zip] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: `Save all ${COUNT} as zip` }).click(),
  );
  expect(name).toBe('darkroom-convert.zip');
  expect(new Set(listZipEntries(zip)).size).toBe(COUNT);

  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect.poll(async () => (await readShared(page)).length).toBe(COUNT);
  const shared = await readShared(page);
  expect(new Set(shared.map(({ name }) => name)).size).toBe(COUNT);
  expect(shared.every(({ size }) => size > 0)).toBe(true);
  expect(await listAccessibilityViolations(page)).toEqual([]);
  expectNoLogsOrUploads(visited);
});

test('files that took longer than a press may share are shared by the next one', async () => {
  const { page } = await visit('/convert', { ...PHONE, prepare: standInSheet });
  await takePhotos(page, 1);
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  await page.evaluate(() => Object.assign((window as unknown as { sheet: object }).sheet, { refusals: 1 }));
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Share now' }).click();
  await expect.poll(() => readShared(page)).toMatchObject([{ type: expect.stringMatching(/^image\//) }]);
  await page.getByRole('button', { name: 'Share', exact: true }).waitFor();
});

test('the sheet folds once there is a result, which stays above it with the zoom', async () => {
  const { page } = await visit('/convert', { ...PHONE, prepare: standInSheet });
  await takePhotos(page, 1);
  await page.getByRole('button', { name: 'Settings: half height' }).waitFor();
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  await page.getByRole('button', { name: 'Settings: lowest height' }).waitFor();
  await page.getByText(/^Settings · JPG/).waitFor();
  const save = await page.getByRole('button', { name: 'Save', exact: true }).boundingBox();
  const zoom = await page.getByRole('group', { name: 'Zoom' }).boundingBox();
  const image = await page.getByRole('group', { name: 'Image view' }).boundingBox();
  if (!save || !zoom || !image) throw new Error('Something is not shown.');
  expect(image.height).toBeGreaterThan(400);
  expect(image.y + image.height).toBeLessThanOrEqual(zoom.y);
  expect(zoom.y + zoom.height).toBeLessThanOrEqual(save.y);
});
