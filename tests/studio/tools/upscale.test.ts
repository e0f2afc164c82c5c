import type { Locator, Page } from 'playwright';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createSubjectVideo, SUBJECT_VIDEO } from '../../support/media/subject-video.ts';
import { decodeVideoFrames } from '../../support/media/videos.ts';
import { listAccessibilityViolations, listViolationsInBothThemes } from '../support/accessibility.ts';
import { createBallPicture, createSmallPicture, decodePixels as readPixels } from '../support/cutouts.ts';
import { delayCodecs } from '../support/delay-codecs.ts';
import { tabTo } from '../support/keyboard.ts';
import { openNotes } from '../support/stage.ts';
import {
  chooseFiles,
  connectBrowser,
  downloadOnClick,
  expectNoLogsOrUploads,
  openPage,
  type TestFile,
} from '../support/visit.ts';

const visit = connectBrowser();

const getLoupe = (page: Page) => page.getByRole('application', { name: /^Loupe/ });
const getRegion = (page: Page) => page.getByRole('application', { name: /^Region/ });
const isReady = (page: Page) => page.getByText(/^Preview in/).waitFor();
const download = (page: Page) =>
  downloadOnClick(page, () => page.getByRole('button', { name: 'Download', exact: true }).click());

/** Waits until the loupe shows something new on its right side. */
async function changes(canvas: Locator, before: string): Promise<void> {
  await expect.poll(() => getPixels(canvas)).not.toBe(before);
}

const getPixels = (canvas: Locator) => canvas.evaluate((element: HTMLCanvasElement) => element.toDataURL());

test('the loupe is computed first, wherever it is moved, and nothing leaves the device', {
  tags: ['long'],
}, async () => {
  const visited = await visit('/upscale');
  const { page } = visited;
  await chooseFiles(page, [await createBallPicture()]);
  await isReady(page);
  const canvas = getLoupe(page).locator('canvas');
  const first = await getPixels(canvas);

  const well = await page.getByRole('group', { name: 'Image view' }).boundingBox();
  if (!well) throw new Error('There is no image.');
  await page.mouse.move(well.x + well.width / 2, well.y + well.height / 2);
  await page.mouse.down();
  await page.mouse.move(well.x + well.width * 0.4, well.y + well.height * 0.35, { steps: 4 });
  await page.mouse.up();
  await changes(canvas, first);
  await isReady(page);
  const dragged = await getPixels(canvas);

  await getLoupe(page).focus();
  await page.keyboard.press('ArrowRight');
  await changes(canvas, dragged);
  await isReady(page);
  // Nothing else was computed.
  await page.getByRole('button', { name: 'Upscale 1 image' }).waitFor();
  await page.getByText(/^Free here, about .+\. On our server \$0\.005, about .+ s\.$/).waitFor();
  expectNoLogsOrUploads(visited);
});

test('an image is enlarged by the chosen factor, and compared at the same size', async () => {
  const visited = await visit('/upscale');
  const { page } = visited;
  await page.getByRole('radio', { name: '4×' }).check();
  await chooseFiles(page, [await createSmallPicture()]);
  await page.getByText(/480 × 320 px \(0\.2 MP\)/).waitFor();
  await page.getByRole('button', { name: 'Upscale 1 image' }).click();
  await page.getByRole('radio', { name: 'Compare' }).waitFor();
  const [original, result] = await Promise.all(
    ['small.png, original', 'small.png, result'].map((name) => page.getByRole('img', { name }).boundingBox()),
  );
  expect(result).toEqual(original);
  await openNotes(page);
  await page.getByText(/Darkroom 558\.9 kB|Darkroom 559 kB/).waitFor();
  const [name, bytes] = await download(page);
  const { width, height, format } = await sharp(bytes).metadata();
  expect([name, format, width, height]).toEqual(['small-upscaled.png', 'png', 480, 320]);
  expectNoLogsOrUploads(visited);
});

test('a width gives each image its own factor, and a press of that makes it exact', async () => {
  const { page } = await visit('/upscale');
  const dot = async (width: number) => ({
    name: `${width}.png`,
    mimeType: 'image/png',
    buffer: await sharp({ create: { width, height: 30, channels: 3, background: '#369' } })
      .png()
      .toBuffer(),
  });
  await chooseFiles(page, [await dot(40), await dot(90)]);
  const width = page.getByRole('spinbutton', { name: 'Width, px' });
  await width.fill('96');
  await width.press('Enter');
  await page.getByRole('radio', { name: '4×' }).and(page.locator(':checked')).waitFor();
  await page.getByRole('button', { name: 'Show 90.png' }).click();
  await page.getByText('96 × 32 px (0.003 MP), 0.8 × 0.3 cm').waitFor();
  await page.getByRole('radio', { name: '2×' }).and(page.locator(':checked')).waitFor();
  await page.getByRole('button', { name: 'Upscale 2 images' }).click();
  await page.getByText('90 × 30 → 96 × 32').waitFor();
  await page.getByRole('button', { name: 'Show 40.png' }).click();
  await page.getByText('40 × 30 → 96 × 72').waitFor();
  await page.getByRole('radio', { name: '4×' }).click();
  await expect.poll(() => width.inputValue()).toBe('160');
});

test('a width in pixels or in print chooses the factor, and the file has it', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/upscale');
  await chooseFiles(page, [await createSmallPicture()]);
  const type = async (name: string, value: string) => {
    await page.getByRole('spinbutton', { name }).fill(value);
    await page.getByRole('spinbutton', { name }).blur();
  };
  const isChosen = (name: string) => page.getByRole('radio', { name }).isChecked();
  await type('Width, px', '300');
  await page.getByText('300 × 200 px (0.06 MP), 2.5 × 1.7 cm').waitFor();
  expect(await isChosen('4×')).toBe(true);
  await type('dpi', '254');
  await type('In print, cm', '2');
  await page.getByText('200 × 133 px (0.03 MP), 2.0 × 1.3 cm').waitFor();
  expect(await isChosen('2×')).toBe(true);
  await page.getByRole('button', { name: 'Upscale 1 image' }).click();
  await page.getByText('PNG · 200 × 133').waitFor();
  const [, bytes] = await download(page);
  const { width, height, density } = await sharp(bytes).metadata();
  expect([width, height, density]).toEqual([200, 133, 254]);
});

test('a region is upscaled and downloaded before the whole', { tags: ['long'] }, async () => {
  const visited = await visit('/upscale');
  const { page } = visited;
  await chooseFiles(page, [await createBallPicture()]);
  await page.getByRole('radio', { name: 'Region' }).check();
  await page.getByText('480 × 320', { exact: true }).waitFor();
  const well = await page.getByRole('group', { name: 'Image view' }).boundingBox();
  const image = await page.getByRole('img', { name: 'ball.jpg' }).boundingBox();
  if (!well || !image) throw new Error('There is no image.');
  const place = (x: number, y: number) => [image.x + x * image.width, image.y + y * image.height] as const;
  await page.mouse.move(...place(0.05, 0.1));
  await page.mouse.down();
  await page.mouse.move(...place(0.2, 0.3), { steps: 4 });
  await page.mouse.up();
  const drawn = await getRegion(page).getAttribute('aria-label');
  expect(drawn).toMatch(/^Region of 7[0-4] × 6[2-6] pixels at 2[2-6], 3[0-4]$/);
  const [width = 0, height = 0] = (drawn?.match(/\d+/g) ?? []).map(Number);

  await page.getByRole('button', { name: 'Upscale this region' }).click();
  const [name, bytes] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download region' }).click(),
  );
  const made = await sharp(bytes).metadata();
  expect([name, made.width, made.height]).toEqual(['ball-region.png', width * 2, height * 2]);
  await page.getByRole('img', { name: 'Region, result' }).waitFor();
  await page.getByRole('button', { name: 'Choose another' }).click();
  await getRegion(page).waitFor();
  await page.getByRole('button', { name: 'Upscale 1 image' }).waitFor();
  expectNoLogsOrUploads(visited);
});

test('a transparent image stays transparent, and shows no original through the result', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/upscale');
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><circle cx="45" cy="30" r="20" fill="#c33"/></svg>`;
  const buffer = await sharp(Buffer.from(drawing)).png().toBuffer();
  await chooseFiles(page, [{ name: 'disc.png', mimeType: 'image/png', buffer }]);
  await isReady(page);
  await page.getByRole('button', { name: 'Other checkerboard' }).waitFor();
  const board = await getLoupe(page)
    .locator('canvas')
    .evaluate((canvas) => getComputedStyle(canvas).backgroundImage);
  expect(board).toContain('repeating-conic-gradient');
  await page.getByRole('button', { name: 'Upscale 1 image' }).click();
  const [, bytes] = await download(page);
  const { at } = await readPixels(bytes);
  expect(at(2, 2)[3]).toBe(0);
  expect(at(90, 60)[3]).toBe(255);
});

test('a region that is cancelled leaves nothing behind', { tags: ['long'] }, async () => {
  const { page } = await visit('/upscale');
  const release = await delayCodecs(page);
  await chooseFiles(page, [await createBallPicture()]);
  await page.getByRole('radio', { name: 'Region' }).check();
  await page.getByRole('button', { name: 'Upscale this region' }).click();
  await page.getByRole('region', { name: 'Region' }).getByRole('button', { name: 'Cancel' }).click();
  await release();
  await page.getByRole('button', { name: 'Upscale this region' }).waitFor();
  expect(await page.getByRole('button', { name: 'Download region' }).count()).toBe(0);
});

test('factors beyond the limit cannot be chosen, and say why', { tags: ['long'] }, async () => {
  const { page } = await visit('/upscale');
  const buffer = await sharp({ create: { width: 2400, height: 1500, channels: 3, background: '#567' } })
    .png()
    .toBuffer();
  await chooseFiles(page, [{ name: 'large.png', mimeType: 'image/png', buffer }]);
  await page.getByText('8× is too large: 231 of at most 100 MP.').waitFor();
  expect(await page.getByRole('radio', { name: '8×' }).isDisabled()).toBe(true);
  expect(await page.getByRole('radio', { name: '4×' }).isEnabled()).toBe(true);
});

describe('a small image', { tags: ['long'] }, () => {
  const shared = visit.share(async () => {
    const visited = await visit('/upscale');
    await chooseFiles(visited.page, [await createSmallPicture()]);
    await isReady(visited.page);
    return visited;
  });

  test('loupe and region are reached by Tab', async () => {
    const { page } = await shared();
    await tabTo(page, 'Loupe at 50 % across and 50 % down');
    await page.keyboard.press('ArrowLeft');
    await getLoupe(page).and(page.locator(':focus')).waitFor();
  });

  test('a region is moved and resized by keys', async () => {
    const { page } = await shared();
    await page.getByRole('radio', { name: 'Region' }).check();
    const label = () => getRegion(page).getAttribute('aria-label');
    await expect.poll(label).toBe('Region of 60 × 40 pixels at 30, 20');
    await getRegion(page).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowDown');
    await expect.poll(label).toBe('Region of 60 × 40 pixels at 28, 22');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowUp');
    await expect.poll(label).toBe('Region of 62 × 38 pixels at 28, 22');
  });

  test('a model that is not on the device says its size and licence, and loads nothing before a click', async () => {
    const { page, requests } = await shared();
    await page.getByRole('radio', { name: 'Loupe' }).check();
    await isReady(page);
    await page.getByText('Model', { exact: true }).first().click();
    await page.getByRole('radio', { name: /Real-ESRGAN general.*4\.9 MB to download.*BSD-3-Clause/ }).check();
    await page.getByRole('button', { name: 'Load 4.9 MB' }).waitFor();
    expect(requests.filter(({ url }) => url.includes('huggingface'))).toEqual([]);
    await page.getByRole('radio', { name: /Darkroom fast/ }).check();
    await isReady(page);
    await page.getByRole('radio', { name: 'Best available' }).check();
  });

  test('a result stays when settings change, and says so', async () => {
    const { page } = await shared();
    await page.getByRole('button', { name: 'Upscale 1 image' }).click();
    await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
    await page.getByRole('radio', { name: '4×' }).check();
    await page.getByText('made with earlier settings').first().waitFor();
    await page.getByRole('img', { name: 'small.png, result' }).waitFor();
    await page.getByRole('button', { name: 'Upscale 1 image' }).click();
    await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
    await page.getByText('PNG · 480 × 320').waitFor();
  });
});

test('has no faults in either theme', { tags: ['long'] }, async () => {
  const { page } = await visit('/upscale');
  expect(await listViolationsInBothThemes(page)).toEqual([]);
  await chooseFiles(page, [await createSmallPicture()]);
  await isReady(page);
  expect(await listViolationsInBothThemes(page)).toEqual([]);
  await page.getByRole('radio', { name: 'Region' }).check();
  await getRegion(page).waitFor();
  expect(await listViolationsInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Upscale this region' }).click();
  await page.getByRole('button', { name: 'Download region' }).waitFor();
  expect(await listViolationsInBothThemes(page)).toEqual([]);
});

describe('a video', { tags: ['long'] }, () => {
  const clip = async (): Promise<TestFile> => {
    const buffer = Buffer.from(await (await createSubjectVideo()).arrayBuffer());
    return { name: 'clip.mp4', mimeType: 'video/mp4', buffer };
  };

  test('shows a frame under the loupe, then the result in step with the original', async () => {
    const visited = await visit('/upscale');
    const { page } = visited;
    await chooseFiles(page, [await clip()]);
    await isReady(page);
    await getLoupe(page).waitFor();
    await page.getByText(/^Free here, about .+\. On our server \$0\.\d+, about .+ s\.$/).waitFor();
    await page.getByRole('radio', { name: 'WebM' }).check();
    await page.getByRole('button', { name: 'Upscale 1 video' }).click();
    await page.getByRole('radio', { name: 'Compare' }).waitFor();
    const clips = ['clip.mp4, original', 'clip.mp4, result'].map((label) =>
      page.locator(`video[aria-label="${label}"]`),
    );
    const [original, result] = await Promise.all(clips.map((each) => each.boundingBox()));
    expect(result).toEqual(original);
    const [name, bytes] = await download(page);
    expect(name).toBe('clip-upscaled.webm');
    const { width, height, frameCount } = SUBJECT_VIDEO;
    const frames = await decodeVideoFrames(new Blob([new Uint8Array(bytes)]));
    expect(frames).toHaveLength(frameCount);
    expect(frames[0]).toMatchObject({ width: width * 2, height: height * 2 });
    expect(await listAccessibilityViolations(page)).toEqual([]);
    expectNoLogsOrUploads(visited);
  });
});

test('a tool that was used once works offline', { tags: ['long'] }, async () => {
  const { page } = await visit('/upscale', { serviceWorkers: 'allow' });
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await chooseFiles(page, [await createSmallPicture()]);
  await isReady(page);
  const menu = page.getByRole('banner').locator('summary');
  await menu.click();
  await page.getByText('Ready offline: Home and Upscale.').waitFor();
  await menu.click();
  await page.context().setOffline(true);
  await openPage(page, '/upscale');
  await chooseFiles(page, [await createSmallPicture('second.png')]);
  await isReady(page);
  await page.getByRole('button', { name: /^Upscale \d images?$/ }).click();
  await page.getByRole('img', { name: 'second.png, result' }).waitFor();
});

test('a result goes on to another tool through one menu, which the facts leave room for', {
  tags: ['long'],
}, async () => {
  const visited = await visit('/upscale', { viewport: { width: 1024, height: 768 } });
  const { page } = visited;
  await chooseFiles(page, [await createSmallPicture()]);
  await page.getByRole('button', { name: 'Upscale 1 image' }).click();
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  const useIn = page.getByRole('main').getByText('Use in', { exact: true });
  await useIn.press('Enter');
  await page.getByRole('button', { name: 'Use in Check images' }).waitFor();
  expect(await listAccessibilityViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Use in Check images' }).waitFor({ state: 'hidden' });
  await useIn.press('Enter');
  await page.getByRole('button', { name: 'Use in Convert images' }).click();
  await page.getByRole('heading', { level: 1, name: 'Convert images' }).waitFor();
  await page.getByText('small-upscaled.png').first().waitFor();
  expectNoLogsOrUploads(visited);
});
