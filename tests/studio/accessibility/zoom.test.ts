// @module-tag long

import { expect, test } from 'vitest';
import { STUDIO_PATHS } from '../../../app/studio/tools/tools.ts';
import { cutOff } from '../support/cut-off.ts';
import { createTestPicture } from '../support/pictures.ts';
import { chooseFiles, connectBrowser, openPage } from '../support/visit.ts';

const visit = connectBrowser();

/** A window of 1440 x 900 at 200 % has half as many pixels each way, drawn twice as large. */
const ZOOMED = { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 };
const PHONE = { viewport: { width: 360, height: 740 } };

const paths = [...STUDIO_PATHS, '/docs', '/docs/jobs', '/docs/reference'];
const zoomed = visit.share(() => visit('/', ZOOMED));

test.each(paths)('%s at twice the size clips nothing and does not scroll sideways', async (path) => {
  const { page } = await zoomed();
  await openPage(page, path);
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
  expect(await cutOff(page)).toEqual([]);
});

test.each([
  ['twice the size', ZOOMED],
  ['360 pixels', PHONE],
] as const)('a result at %s clips nothing', async (_, options) => {
  const { page } = await visit('/convert', options);
  await chooseFiles(page, [
    await createTestPicture('a picture with a name much longer than there is room for.jpg'),
  ]);
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  expect(await cutOff(page)).toEqual([]);
  await page
    .locator('main details')
    .evaluateAll((menus) => menus.map((menu) => menu.setAttribute('open', '')));
  expect(await cutOff(page)).toEqual([]);
});
