// @module-tag long

import type { Page } from 'playwright';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createAnimation } from '../../support/media/animation.ts';
import { delayCodecs } from '../support/delay-codecs.ts';
import { failWorkers, interceptWorkers } from '../support/pause-workers.ts';
import { createTestPicture } from '../support/pictures.ts';
import { reloadStored } from '../support/stored-session.ts';
import { chooseFiles, connectBrowser, downloadOnClick, expectNoLogsOrUploads } from '../support/visit.ts';

const visit = connectBrowser();

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });
const format = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });
const setQuality = (page: Page, quality: number) =>
  page.getByRole('slider', { name: 'Quality' }).fill(String(quality));
const outcome = (page: Page) => page.locator('aside [role=status]').last().textContent();
const updating = (page: Page) => page.getByText(/^Updating · /);
const SMALLER = /1 done: .+ smaller$/;
const LARGER = /1 done: .+(larger|times as large)$/;

/** Chooses a format, and waits until the result is of it, which its size tells. */
async function chooseFormat(page: Page, name: string): Promise<void> {
  const before = await outcome(page);
  await format(page, name).check();
  await expect.poll(() => outcome(page)).toMatch(/1 done/);
  await expect.poll(() => outcome(page)).not.toBe(before);
  await updating(page).waitFor({ state: 'detached' });
}

/** Converts images to AVIF, whose encoder can be held back, and ends the workers, which would keep it for a while. */
async function converted(page: Page, count: number): Promise<void> {
  await format(page, 'AVIF').check();
  await chooseFiles(
    page,
    await Promise.all(
      Array.from({ length: count }, (_, at) => createTestPicture(`photo-${at + 1}.jpg`, 9 * at)),
    ),
  );
  await button(page, count === 1 ? 'Convert 1 image' : `Convert ${count} images`).click();
  await page.getByText(`${count} done`).waitFor();
  await endIdleWorkers(page);
}

async function endIdleWorkers(page: Page): Promise<void> {
  await failWorkers(page);
  await expect.poll(() => page.workers().length).toBe(0);
}

test('a change of quality gives a new size without a button, and the old result stays until then', async () => {
  const visited = await visit('/convert', { prepare: interceptWorkers });
  const { page } = visited;
  await converted(page, 1);
  const before = await outcome(page);
  await page.evaluate(watchResult);
  const release = await delayCodecs(page);
  await setQuality(page, 20);
  await updating(page).waitFor();
  expect(await outcome(page)).toBe(before);
  expect(await page.getByRole('slider', { name: 'Quality' }).isEnabled()).toBe(true);
  expect(await button(page, 'Download').isEnabled()).toBe(true);
  release();
  await expect.poll(() => outcome(page)).not.toBe(before);
  await updating(page).waitFor({ state: 'detached' });
  await chooseFormat(page, 'WebP');
  expect(await page.evaluate(lossesOfResult)).toEqual([]);
  expectNoLogsOrUploads(visited);
});

test('an image without a result is converted by the first change of a setting', async () => {
  const { page } = await visit('/convert');
  await chooseFiles(page, [await createTestPicture()]);
  await button(page, 'Convert 1 image').waitFor();
  await chooseFormat(page, 'PNG');
  await button(page, 'Download').waitFor();
});

test('a newer change replaces the run under way, which can also be stopped', async () => {
  const { page, complaints } = await visit('/convert', { prepare: interceptWorkers });
  await converted(page, 1);
  const release = await delayCodecs(page);
  await setQuality(page, 90);
  await expect.poll(() => page.workers().length).toBe(1);
  await setQuality(page, 20);
  await format(page, 'BMP').check();
  release();
  await expect.poll(() => outcome(page)).toMatch(LARGER);
  await endIdleWorkers(page);
  const releaseAgain = await delayCodecs(page);
  await format(page, 'AVIF').check();
  await expect.poll(() => page.workers().length).toBe(1);
  await button(page, 'Stop').press('Enter');
  await expect.poll(() => page.workers().length).toBe(0);
  releaseAgain();
  // What was there stays, and is told to be of other settings.
  expect(await outcome(page)).toMatch(LARGER);
  await page.getByText('made with earlier settings', { exact: true }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
    'photo-1.jpg, result',
  );
  await button(page, 'Convert 1 image').click();
  await expect.poll(() => outcome(page)).toMatch(SMALLER);
  expect(complaints).toEqual([]);
});

test('results of other images stay and are told to be of earlier settings until they are renewed', async () => {
  const { page } = await visit('/convert', { prepare: interceptWorkers });
  await converted(page, 3);
  await setQuality(page, 30);
  await button(page, 'Convert 2 images').waitFor();
  await button(page, 'Download 3 results').waitFor();
  await page.getByText('2 results were made with earlier settings.').waitFor();
  const marks = page.getByRole('list', { name: 'Files' }).getByTitle('Made with earlier settings');
  expect(await marks.count()).toBe(2);
  await button(page, 'Show photo-2.jpg').click();
  const result = page.getByRole('region', { name: 'photo-2.jpg, result' });
  await result.waitFor();
  await page.evaluate(watchResult);
  await button(page, 'Convert 2 images').click();
  await button(page, 'Download all 3 as zip').waitFor();
  expect(await marks.count()).toBe(0);
  expect(await page.evaluate(lossesOfResult)).toEqual([]);

  // Settings that are back need no run.
  await setQuality(page, 31);
  await setQuality(page, 30);
  await button(page, 'Download all 3 as zip').waitFor();
  expect(await updating(page).count()).toBe(0);
});

test('a download waits for the settings that are shown', async () => {
  const { page } = await visit('/convert', { prepare: interceptWorkers });
  await converted(page, 1);
  const [, before] = await downloadOnClick(page, () => button(page, 'Download').click());
  const release = await delayCodecs(page);
  await setQuality(page, 10);
  const [name, bytes] = await downloadOnClick(page, async () => {
    await button(page, 'Download').click();
    await button(page, 'Preparing file…').waitFor();
    release();
  });
  expect(name).toBe('photo-1.avif');
  expect(bytes.length).toBeLessThan(before.length);
});

test('on the server no setting starts a run, and the result stays', async () => {
  const { page, requests } = await visit('/convert', { prepare: interceptWorkers });
  await converted(page, 1);
  await page.getByRole('radio', { name: 'Our server' }).check();
  const sent = requests.filter(({ method }) => method !== 'GET').length;
  await setQuality(page, 30);
  await page.getByRole('link', { name: /^Sign up to run it for/ }).waitFor();
  await page.getByRole('region', { name: 'photo-1.jpg, result' }).waitFor();
  expect([await updating(page).count(), page.workers().length]).toEqual([0, 0]);
  expect(requests.filter(({ method }) => method !== 'GET')).toHaveLength(sent);
});

test('live results take each other’s place among the recent ones', async () => {
  const { page } = await visit('/convert');
  await chooseFiles(page, [await createTestPicture()]);
  for (const name of ['PNG', 'BMP', 'TIFF']) {
    await chooseFormat(page, name);
  }
  await page.getByRole('link', { name: 'Recent' }).first().click();
  await button(page, 'View holiday.tiff').waitFor();
  await expect.poll(() => button(page, /^View /).count()).toBe(1);
});

test('a live result that was downloaded stays among the recent ones, after a reload, too', async () => {
  const { page } = await visit('/convert');
  await chooseFiles(page, [await createTestPicture()]);
  await chooseFormat(page, 'PNG');
  await downloadOnClick(page, () => button(page, 'Download').click());
  await reloadStored(page, { results: 1 });
  await page.getByText('1 done').waitFor();
  for (const name of ['BMP', 'TIFF']) {
    await chooseFormat(page, name);
  }
  await page.getByRole('link', { name: 'Recent' }).first().click();
  await button(page, 'View holiday.tiff').waitFor();
  await expect.poll(() => button(page, /^View /).count()).toBe(2);
  await button(page, 'View holiday.png').waitFor();
});

test('two settings are held side by side, swapped, downloaded and dropped', async () => {
  const { page } = await visit('/convert');
  await format(page, 'PNG').check();
  await chooseFiles(page, [await createTestPicture()]);
  await button(page, 'Convert 1 image').click();
  await button(page, 'Compare with other settings').press('Enter');
  await page.getByText('B is held. The settings above change A.').waitFor();
  const sides = page.getByRole('region', { name: 'Compare settings' });
  expect(await sides.evaluate((section) => section === document.activeElement)).toBe(true);

  await format(page, 'WebP').check();
  await page.getByRole('img', { name: /, A · WebP 80 · / }).waitFor();
  await page.getByRole('img', { name: /, B · PNG · / }).waitFor();
  const line = page.getByRole('slider', { name: 'Share of A that is shown' });
  await line.press('ArrowRight');
  expect(await line.getAttribute('aria-valuetext')).toBe('51 % A');
  await page.getByRole('radio', { name: 'B', exact: true }).check();
  await page.getByRole('img', { name: 'holiday.jpg, held result' }).waitFor();
  await page.getByRole('radio', { name: 'Compare' }).check();
  const [heldName] = await downloadOnClick(page, () => button(page, 'Download B').click());
  const [liveName] = await downloadOnClick(page, () => button(page, 'Download').click());
  expect([heldName, liveName]).toEqual(['holiday.png', 'holiday.webp']);

  await button(page, 'Swap').click();
  await page.getByRole('img', { name: /, A · PNG · / }).waitFor();
  await page.getByRole('img', { name: /, B · WebP 80 · / }).waitFor();
  expect(await format(page, 'PNG').isChecked()).toBe(true);
  expect(await updating(page).count()).toBe(0);

  // Another page and back: both are still there.
  await page.getByRole('link', { name: 'Recent' }).first().click();
  await page.getByRole('heading', { name: 'Recent' }).waitFor();
  await page.goBack();
  await page.getByRole('img', { name: /, B · WebP 80 · / }).waitFor();
  await button(page, 'Drop B').click();
  await page.getByRole('slider', { name: 'Share of the original that is shown' }).waitFor();
  await button(page, 'Compare with other settings').waitFor();
});

test('the line of a comparison stays while the size changes, and a turned result leaves B its shape', async () => {
  const { page } = await visit('/convert');
  await format(page, 'PNG').check();
  await page.locator('summary', { hasText: 'Crop, rotate and resize' }).click();
  const picture = await createTestPicture();
  const { width = 0, height = 0 } = await sharp(picture.buffer).metadata();
  const side = page.getByRole('spinbutton', { name: 'Width' });
  await side.fill(String(width / 2));
  await chooseFiles(page, [picture]);
  await button(page, 'Convert 1 image').click();
  const line = page.getByRole('slider', { name: 'Share of the original that is shown' });
  await line.press('ArrowRight');
  await side.fill(String(width / 4));
  await side.blur();
  const result = page.getByRole('img', { name: 'holiday.jpg, result' });
  await expect.poll(() => result.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(width / 4);
  expect(await line.getAttribute('aria-valuetext')).toBe('51 % original');

  await button(page, 'Compare with other settings').click();
  await button(page, 'Turn right').click();
  const getShape = async (name: RegExp) => {
    const box = await page.getByRole('img', { name }).boundingBox();
    return box ? box.width / box.height : 0;
  };
  await expect.poll(() => getShape(/, A · PNG · /)).toBeCloseTo(height / width, 1);
  await format(page, 'B').check();
  await expect.poll(() => getShape(/, held result$/)).toBeCloseTo(width / height, 1);
});

test('growth is said in words before the download, for one image and for the batch', async () => {
  const { page } = await visit('/convert');
  await format(page, 'BMP').check();
  await chooseFiles(page, [await createTestPicture('a.jpg'), await createTestPicture('b.jpg', 40)]);
  await button(page, 'Convert 2 images').click();
  await button(page, 'Download all 2 as zip').waitFor();
  expect(await outcome(page)).toMatch(/^2 done: .+ → .+ (\d+ % larger|[\d.]+ times as large)$/);
  await format(page, 'JPG').check();
  await setQuality(page, 10);
  const tiles = page.getByRole('list', { name: 'Files', exact: true });
  await tiles
    .getByText(/ [-−]\d+ %$/)
    .first()
    .waitFor();
});

test('a GIF says how many frames a still format loses, before it is converted', async () => {
  const { page } = await visit('/convert');
  await chooseFiles(page, [
    { name: 'cat.gif', mimeType: 'image/gif', buffer: await createAnimation(24, 'gif') },
  ]);
  const notice = page.getByText('This GIF has 24 frames: only the first is kept.');
  await notice.waitFor();
  await button(page, 'Convert 1 image').waitFor();
  // Said of the server too, which does the same.
  await page.getByRole('radio', { name: 'Our server' }).check();
  expect(await notice.count()).toBe(1);
  await page.getByRole('radio', { name: 'This device' }).check();

  await chooseFormat(page, 'WebP');
  expect(await notice.count()).toBe(0);
  const [, bytes] = await downloadOnClick(page, () => button(page, 'Download').click());
  expect((await sharp(bytes).metadata()).pages).toBe(24);
});

/** Runs in the page: notes each time that the stage has no result, or no image of it. */
function watchResult(): void {
  const losses: string[] = [];
  Object.assign(window, { losses });
  const look = () => {
    const stage = document.querySelector('main section[aria-label$=", result"]');
    if (!stage) losses.push('no result');
    else if (!stage.querySelector('img[alt$=", result"]')) losses.push('no image');
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true });
}

function lossesOfResult(): readonly string[] {
  return (window as unknown as { losses: readonly string[] }).losses;
}
