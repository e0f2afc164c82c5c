import type { Page } from 'playwright';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { IMAGE_OUTPAINT_WEIGHTS } from '../../../models/operations/extend/weights.ts';
import { migan } from '../../support/models/outpaint.ts';
import { listAccessibilityViolations, listViolationsInBothThemes } from '../support/accessibility.ts';
import { serveAlteredPages } from '../support/altered-pages.ts';
import { createSmallPicture } from '../support/cutouts.ts';
import { tabTo } from '../support/keyboard.ts';
import { interceptWorkers, pauseWorkers, resumeWorkers } from '../support/pause-workers.ts';
import { interceptService } from '../support/stand-in-service.ts';
import { createStandInWeights } from '../support/stand-in-weights.ts';
import { reloadStored } from '../support/stored-session.ts';
import { chooseFiles, connectBrowser, downloadOnClick, expectNoLogsOrUploads } from '../support/visit.ts';
import { listZipEntries } from '../support/zip.ts';

const visit = connectBrowser();

const getEdge = (page: Page, side: string) => page.getByRole('slider', { name: `${side} edge` });
const pixelsAdded = (page: Page, side: string) =>
  page.getByRole('group', { name: 'Pixels added' }).getByLabel(side);
const getMargin = async (page: Page, side: string) =>
  Number(await getEdge(page, side).getAttribute('aria-valuenow'));

async function type(page: Page, side: string, pixels: number): Promise<void> {
  await pixelsAdded(page, side).fill(String(pixels));
  await pixelsAdded(page, side).blur();
  await expect.poll(() => getMargin(page, side)).toBe(pixels);
}

async function run(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Extend 1 image' }).click();
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
}

const standIn = createStandInWeights(IMAGE_OUTPAINT_WEIGHTS['migan-pipeline-v2'], migan());
/** Pages with a stand-in for MI-GAN. */
let served: string;
beforeAll(async () => {
  served = await serveAlteredPages(standIn.alter);
});

/** Opens the page where MI-GAN can be downloaded, and chooses that: only a model has a seed and variants. */
async function visitWithModel(): Promise<Page> {
  const { page } = await visit('/extend', { baseURL: served, prepare: standIn.serve });
  await chooseFiles(page, [await createSmallPicture()]);
  await page.locator('summary').filter({ hasText: 'Model' }).last().click();
  await page.getByRole('radio', { name: 'MI-GAN' }).check();
  return page;
}

const download = (page: Page) =>
  downloadOnClick(page, () => page.getByRole('button', { name: 'Download', exact: true }).click());

test('an edge is dragged outwards, and the result has the size of the frame', async () => {
  const visited = await visit('/extend');
  const { page } = visited;
  await chooseFiles(page, [await createSmallPicture()]);
  const edge = getEdge(page, 'Right');
  await expect.poll(() => getMargin(page, 'Right')).toBe(100);
  const box = await edge.boundingBox();
  if (!box) throw new Error('There is no edge.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => getMargin(page, 'Right')).toBeGreaterThan(100);
  const right = await getMargin(page, 'Right');
  await run(page);
  const [name, bytes] = await download(page);
  expect(name).toBe('small-extended.png');
  const { width, height, format } = await sharp(bytes).metadata();
  expect([format, width, height]).toEqual(['png', 220 + right, 280]);
  expectNoLogsOrUploads(visited);
});

test('a run dims the frame, and not the room around it, and removes the prediction', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/extend', { prepare: interceptWorkers });
  await chooseFiles(page, [await createSmallPicture()]);
  const image = page.getByRole('img', { name: 'small.png', exact: true });
  await image.waitFor();
  const prediction = page.getByRole('note').filter({ hasText: 'Simple fill' });
  await prediction.waitFor();
  await pauseWorkers(page);
  await page.getByRole('button', { name: 'Extend 1 image' }).click();
  const getFilter = (element: Element) => getComputedStyle(element).filter;
  await expect.poll(() => image.evaluate(getFilter)).toBe('brightness(0.45)');
  expect(await image.locator('..').evaluate(getFilter)).toBe('none');
  expect(await prediction.count()).toBe(0);
  await resumeWorkers(page);
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
});

describe('a small image', { tags: ['long'] }, () => {
  const shared = visit.share(async () => {
    const visited = await visit('/extend');
    await chooseFiles(visited.page, [await createSmallPicture()]);
    return visited;
  });

  test('keys move an edge within its limits', async () => {
    const { page } = await shared();
    await getEdge(page, 'Left').waitFor();
    await tabTo(page, 'Left edge');
    const presses = [
      ['ArrowLeft', 110],
      ['ArrowRight', 100],
      ['Shift+ArrowRight', 99],
      ['PageUp', 199],
      ['End', 700],
      ['ArrowLeft', 700],
      ['Home', 0],
      ['ArrowRight', 0],
    ] as const;
    for (const [key, pixels] of presses) {
      await page.keyboard.press(key);
      await expect.poll(() => getMargin(page, 'Left')).toBe(pixels);
    }
    expect(await getEdge(page, 'Left').getAttribute('aria-valuetext')).toBe('0 pixels added');
  });

  test('the simple fill is previewed before a run, with its expected quality', async () => {
    const visited = await shared();
    const { page } = visited;
    for (const side of ['Left', 'Top', 'Bottom', 'Right']) await type(page, side, 100);
    await page.getByRole('img', { name: 'Preview of the added area' }).waitFor();
    const prediction = page.getByRole('note').filter({ hasText: 'Simple fill, expected quality' });
    await prediction.waitFor();
    // The margins are larger than the image.
    await prediction.getByText('this will likely disappoint').waitFor();
    await prediction.getByRole('button', { name: /^Use LaMa, .* to download/ }).waitFor();
    for (const side of ['Left', 'Top', 'Bottom', 'Right']) await type(page, side, 0);
    await prediction.waitFor({ state: 'detached' });
    expectNoLogsOrUploads(visited);
  });

  test('zooming out keeps the size, and nothing to add is said before a run', async () => {
    const { page } = await shared();
    for (const side of ['Left', 'Top', 'Right', 'Bottom']) await type(page, side, 0);
    await page.getByRole('alert').getByText('Nothing would be added.').waitFor();
    await page.getByRole('slider', { name: 'Zoom out' }).fill('50');
    await page.getByText('The image shrinks to 50 %').waitFor();
    await run(page);
    await page.getByText('PNG · 120 × 80').waitFor();
  });
});

test('a shape adds to each image as much as it needs', { tags: ['long'] }, async () => {
  const { page } = await visit('/extend');
  await chooseFiles(page, [await createSmallPicture()]);
  await page.getByRole('radio', { name: '1:1' }).check();
  await expect.poll(() => getMargin(page, 'Top')).toBe(20);
  expect(await Promise.all(['Left', 'Bottom', 'Right'].map((side) => getMargin(page, side)))).toEqual([
    0, 20, 0,
  ]);
  const create = { width: 160, height: 90, channels: 3, background: '#807060' } as const;
  const buffer = await sharp({ create }).png().toBuffer();
  await chooseFiles(page, [{ name: 'wide.png', mimeType: 'image/png', buffer }]);
  await page.getByRole('button', { name: 'Extend 2 images' }).click();
  await page.getByText('PNG · 160 × 160').waitFor();
  await page.getByRole('button', { name: /small/ }).first().click();
  await page.getByText('PNG · 120 × 120').waitFor();
  await page.getByRole('radio', { name: 'Compare' }).check();
  await page.getByRole('slider', { name: 'Share of the original that is shown' }).waitFor();
});

test('an image that has the shape already stays as it is, among others that get it', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/extend');
  const create = { width: 852, height: 480, channels: 3, background: '#807060' } as const;
  const buffer = await sharp({ create }).png().toBuffer();
  await chooseFiles(page, [{ name: 'wide.png', mimeType: 'image/png', buffer }, await createSmallPicture()]);
  await page.getByRole('radio', { name: '16:9' }).check();
  await page.getByRole('button', { name: 'Extend 2 images' }).click();
  await page.getByText('PNG · 852 × 480').waitFor();
  const shown = page.getByRole('region', { name: 'wide.png, result' });
  await shown.getByText('This image has the shape already. It stays as it is.').waitFor();
  const [, zip] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download all 2 as zip' }).click(),
  );
  expect(listZipEntries(zip)[0]).toBe('wide.png');
});

test('variants stand side by side, and the picked one is downloaded, even after a reload', {
  tags: ['long'],
}, async () => {
  const page = await visitWithModel();
  await page.getByRole('spinbutton', { name: 'Seed' }).fill('7');
  await page.getByRole('spinbutton', { name: 'Seed' }).blur();
  await page.getByRole('slider', { name: 'Variants' }).fill('3');
  await run(page);
  const variants = page.getByRole('group', { name: 'Variants', exact: true }).getByRole('radio');
  expect(await variants.count()).toBe(3);
  await page.getByRole('radio', { name: 'Variant 2 seed 8' }).check();
  const [name, bytes] = await download(page);
  expect(name).toBe('small-extended-8.png');
  expect(await listAccessibilityViolations(page)).toEqual([]);
  const [, zip] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'All 3 as zip' }).click(),
  );
  expect(listZipEntries(zip)).toEqual([
    'small-extended-7.png',
    'small-extended-8.png',
    'small-extended-9.png',
  ]);
  await reloadStored(page, { results: 1 });
  await page.getByRole('radio', { name: 'Variant 2 seed 8' }).and(page.locator(':checked')).waitFor();
  const [again, bytesAgain] = await download(page);
  expect([again, bytesAgain.equals(bytes)]).toEqual(['small-extended-8.png', true]);
});

test('a locked seed gives the same bytes again', { tags: ['long'] }, async () => {
  const page = await visitWithModel();
  await run(page);
  const [name, bytes] = await download(page);
  await page.getByRole('button', { name: 'Lock the seed' }).click();
  // The result is the one of this seed.
  await expect
    .poll(() => page.getByRole('spinbutton', { name: 'Seed' }).inputValue())
    .toBe(name.match(/\d+/)?.[0]);
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
  await chooseFiles(page, [await createSmallPicture('twin.png')]);
  await page.getByRole('button', { name: 'Extend 1 image' }).click();
  await page.getByRole('button', { name: 'Download the result of twin.png' }).waitFor();
  const [, twin] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download the result of twin.png' }).click(),
  );
  expect(twin.equals(bytes)).toBe(true);
});

test('a prompt can be given to a model that reads it, and goes to the server with the image', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/extend', {
    prepare: (page) => interceptService(page, 'image-outpaint', { seeds: [1] }),
  });
  await chooseFiles(page, [await createSmallPicture()]);
  await page.locator('summary').filter({ hasText: 'Model' }).last().click();
  // The test's browser has no graphics processor.
  const onDevice = page.getByRole('radio', { name: 'Stable Diffusion 1.5' });
  await onDevice.waitFor({ state: 'attached' });
  expect(await onDevice.isDisabled()).toBe(true);
  await page
    .getByText(/Its use restrictions must be accepted/)
    .first()
    .waitFor();
  expect(await page.getByRole('textbox', { name: 'Prompt' }).count()).toBe(0);

  await page.getByRole('radio', { name: 'Our server' }).check();
  await page.getByRole('radio', { name: 'Stable Diffusion 1.5' }).check();
  await page.getByRole('textbox', { name: 'Prompt' }).fill(' a meadow ');
  await page.getByRole('textbox', { name: 'Prompt' }).blur();
  const sent = page.waitForRequest((request) => request.url().endsWith('/image-outpaint-request'));
  await page.getByRole('button', { name: 'Extend 1 image for $0.12' }).click();
  expect((await sent).postDataJSON()).toMatchObject({ engine: 'sd15-inpaint-fp16', prompt: 'a meadow' });

  await page.getByRole('radio', { name: 'Best available' }).check();
  await expect.poll(() => page.getByRole('textbox', { name: 'Prompt' }).count()).toBe(0);
});

test('the server is not sold where it has the same fill', { tags: ['long'] }, async () => {
  const { page } = await visit('/extend', {
    prepare: async (page) => {
      await interceptService(page, 'image-outpaint', {});
      await page.context().route(
        ({ pathname }) => pathname === '/api/engines/image-outpaint',
        (route) => route.fulfill({ json: { engine: 'darkroom-patches' } }),
      );
    },
  });
  await chooseFiles(page, [await createSmallPicture()]);
  await page.getByRole('radio', { name: 'Our server' }).check();
  await page.getByText('Our server would give the same result. It runs here, free.').waitFor();
  expect(await page.getByRole('button', { name: /\$/ }).count()).toBe(0);
});

test('no quality is estimated for a file that is no image', { tags: ['long'] }, async () => {
  const { page } = await visit('/extend');
  const buffer = Buffer.from('ffd8ffe000104a464946', 'hex');
  await chooseFiles(page, [{ name: 'broken.jpg', mimeType: 'image/jpeg', buffer }]);
  await page.getByRole('button', { name: 'Extend 1 image' }).click();
  await page.getByRole('alert').first().waitFor();
  expect(await page.getByText('estimating its quality').count()).toBe(0);
});

test('a result is extended again', { tags: ['long'] }, async () => {
  const { page } = await visit('/extend');
  await chooseFiles(page, [await createSmallPicture()]);
  await page.getByRole('radio', { name: '1:1' }).check();
  await run(page);
  await page.getByRole('button', { name: 'Extend again' }).click();
  await page.getByRole('radio', { name: '3:2' }).check();
  await page.getByRole('button', { name: 'Extend 2 images' }).click();
  await page.getByText('PNG · 180 × 120').waitFor();
});

describe('accessibility', { tags: ['long'] }, () => {
  test('has no faults in either theme', async () => {
    const { page } = await visit('/extend');
    expect(await listViolationsInBothThemes(page)).toEqual([]);
    await chooseFiles(page, [await createSmallPicture()]);
    await getEdge(page, 'Left').waitFor();
    expect(await listViolationsInBothThemes(page)).toEqual([]);
    await run(page);
    expect(await listViolationsInBothThemes(page)).toEqual([]);
  });

  test('an edge is dragged on a phone, whose page is no wider than its screen', async () => {
    const { page } = await visit('/extend', { viewport: { width: 390, height: 844 }, hasTouch: true });
    await chooseFiles(page, [await createSmallPicture()]);
    const box = await getEdge(page, 'Left').boundingBox();
    if (!box) throw new Error('There is no edge.');
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: x === undefined ? [] : [{ x, y: at.y }],
      });
    await send('touchStart', at.x);
    await send('touchMove', at.x + 15);
    await send('touchMove', at.x + 30);
    await send('touchEnd');
    await expect.poll(() => getMargin(page, 'Left')).toBeLessThan(100);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await listAccessibilityViolations(page)).toEqual([]);
  });
});
