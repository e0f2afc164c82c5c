import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { IMAGE_MODERATION_WEIGHTS } from '../../../models/moderation/weights.ts';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { servePagesWithDevice } from '../support/fake-device.ts';
import { createBrokenPicture } from '../support/pictures.ts';
import { interceptService } from '../support/stand-in-service.ts';
import {
  chooseFiles,
  connectBrowser,
  downloadOnClick,
  expectNoLogsOrUploads,
  type TestFile,
} from '../support/visit.ts';
import { listZipEntries } from '../support/zip.ts';

const visit = connectBrowser();

const sample = async (name: string): Promise<TestFile> => ({
  name: `${name}.jpg`,
  mimeType: 'image/jpeg',
  buffer: await readFile(`public/samples/${name}.jpg`),
});
const verdict = (page: Page, name: string) => page.getByRole('region', { name: `Verdict on ${name}` });
const flagFrom = (page: Page) => page.getByRole('slider', { name: 'Flag from' });

test('an image is checked on this device as soon as it is added, and what was not checked is said', async () => {
  const visited = await visit('/moderate');
  const { page } = visited;
  await chooseFiles(page, [await sample('lemur')]);
  const found = verdict(page, 'lemur.jpg');
  await found.getByRole('status').getByText('Sexual: safe').waitFor();
  await found.getByText('Not checked: violence, hate, self-harm.').waitFor();
  // The words say it all: no list repeats them.
  expect(await found.locator('dl').count()).toBe(0);
  await page.getByText('What the levels mean').click();
  await page.getByText('Staged or implied harm can be missed.').waitFor();
  expect(await listAccessibilityViolations(page)).toEqual([]);
  expectNoLogsOrUploads(visited);
});

test('several images stand in a table, whose verdicts follow the threshold, and a row opens its image', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/moderate');
  await chooseFiles(page, [await sample('lemur'), createBrokenPicture('broken.png')]);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('lemur.jpg').getByText('Not flagged').waitFor();
  await row('broken.png').getByText('Not checked', { exact: true }).waitFor();
  expect((await row('lemur.jpg').innerText()).replaceAll(/\s+/g, ' ').trim()).toBe(
    'lemur.jpg Safe 0 Not flagged',
  );
  // The table is the list of the images: there is no second one.
  expect(await page.getByRole('list', { name: 'Files', exact: true }).count()).toBe(0);
  const [csvName, csv] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download CSV' }).click(),
  );
  expect([csvName, csv.toString()]).toEqual([
    'darkroom-moderate.csv',
    'file,verdict,Sexual\r\nlemur.jpg,Not flagged,0\r\nbroken.png,Not checked,\r\n',
  ]);
  await page.getByRole('status').getByText('0 of 1 checked image flagged').waitFor();
  expect(await listAccessibilityViolations(page)).toEqual([]);
  await row('lemur.jpg').getByRole('button', { name: 'lemur.jpg', exact: true }).click();
  await verdict(page, 'lemur.jpg').waitFor();
  await page.getByRole('radio', { name: 'Table' }).check();
  await row('lemur.jpg').waitFor();
  await row('broken.png').getByRole('button', { name: 'broken.png', exact: true }).click();
  await page.getByRole('alert').first().waitFor();
  expect(await page.getByRole('row').count()).toBe(0);
  await page.getByRole('radio', { name: 'Table' }).check();
  await row('broken.png').getByRole('button', { name: 'Remove broken.png' }).click();
  await verdict(page, 'lemur.jpg').waitFor();
});

test('several images are checked together, and their reports saved as the API writes them', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/moderate');
  await chooseFiles(page, [await sample('lemur'), await sample('otter')]);
  await page.getByRole('button', { name: 'Download all 2 as zip' }).waitFor();
  const [, zip] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download all 2 as zip' }).click(),
  );
  expect(listZipEntries(zip)).toEqual(['lemur-verdict.json', 'otter-verdict.json']);
  await page.getByRole('radio', { name: 'Image' }).check();
  const tiles = page.getByRole('list', { name: 'Files', exact: true }).getByRole('listitem');
  await tiles.filter({ hasText: 'otter.jpg' }).getByText('not flagged').waitFor();
  const [name, report] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download the result of lemur.jpg' }).click(),
  );
  expect(name).toBe('lemur-verdict.json');
  expect(JSON.parse(report.toString())).toEqual({
    flagged: false,
    categories: [{ category: 'Sexual', severity: 0 }],
    severity_threshold: 2,
  });
});

describe('the verdict on one image', { tags: ['long'] }, () => {
  const shared = visit.share(async () => {
    const visited = await visit('/moderate');
    await chooseFiles(visited.page, [await sample('lemur')]);
    await verdict(visited.page, 'lemur.jpg').waitFor();
    return visited;
  });

  test('the threshold moves by keys, says what it means, and needs no new run', async () => {
    const { page } = await shared();
    await flagFrom(page).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('Low is not flagged.').waitFor();
    await page.keyboard.press('End');
    await page.getByText('Only High is flagged.').waitFor();
    expect(await verdict(page, 'lemur.jpg').isVisible()).toBe(true);
    const [, report] = await downloadOnClick(page, () =>
      page.getByRole('button', { name: 'Download', exact: true }).click(),
    );
    expect(JSON.parse(report.toString()).severity_threshold).toBe(6);
  });

  test('a verdict outlives a reload', async () => {
    const { page } = await shared();
    await page.reload();
    await verdict(page, 'lemur.jpg').getByText('Sexual: safe').waitFor();
  });
});

test('a damaged image says why, and gets no verdict', { tags: ['long'] }, async () => {
  const { page } = await visit('/moderate');
  await chooseFiles(page, [createBrokenPicture('torn.jpg')]);
  await page.getByRole('alert').first().waitFor();
  expect(await verdict(page, 'torn.jpg').count()).toBe(0);
});

describe('the model of all categories', { tags: ['long'] }, () => {
  /** Makes the model unavailable; returns the requests for it. */
  async function withholdModel(page: Page): Promise<readonly string[]> {
    const asked: string[] = [];
    const { 'clip-vit-b32-text-q4': text, 'clip-vit-b32-vision-uint8': vision } = IMAGE_MODERATION_WEIGHTS;
    for (const { url, sha256 } of [text, vision]) {
      for (const address of [url, `**/api/weights/${sha256}`]) {
        await page.context().route(address, (route) => {
          asked.push(route.request().url());
          return route.fulfill({ status: 404, body: '' });
        });
      }
    }
    return asked;
  }

  test('is downloaded only after a click, and without it nothing is made up', async () => {
    const { page } = await visit('/moderate');
    const asked = await withholdModel(page);
    await chooseFiles(page, [await sample('lemur')]);
    await verdict(page, 'lemur.jpg').waitFor();
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'Download CLIP, over 88.6 MB' }).click();
    await page.getByRole('alert').getByText('CLIP could not be downloaded. Check the connection').waitFor();
    expect(asked.length).toBeGreaterThan(0);
    // The earlier verdict stays, and another try is one click away.
    await verdict(page, 'lemur.jpg').getByText('Sexual: safe').waitFor();
    expect(await page.getByText('Checked by CLIP').count()).toBe(0);
    const before = asked.length;
    await page.getByRole('button', { name: 'Try CLIP again' }).click();
    await expect.poll(() => asked.length).toBeGreaterThan(before);
    await page
      .getByRole('button', { name: 'Check sexual content only' })
      .and(page.locator(':enabled'))
      .click();
    await page.getByText('made with earlier settings').waitFor({ state: 'detached' });
    await verdict(page, 'lemur.jpg').getByText('Sexual: safe').waitFor();
  });

  test('is chosen after a check by our server, whose verdict stays as it was paid for', async () => {
    const categories = ['Hate', 'SelfHarm', 'Sexual', 'Violence'].map((category) => ({
      category,
      severity: category === 'Violence' ? 4 : 0,
    }));
    const { page } = await visit('/moderate', {
      prepare: (page) => interceptService(page, 'image-moderation', { categories }),
    });
    const asked = await withholdModel(page);
    await page.getByRole('radio', { name: 'Our server' }).check();
    await chooseFiles(page, [await sample('lemur')]);
    await page.getByRole('button', { name: /^Check 1 image for \$/ }).click();
    await verdict(page, 'lemur.jpg').getByText('Flagged').waitFor();
    await page.getByRole('radio', { name: 'This device' }).check();
    await page.getByRole('button', { name: 'Download CLIP' }).click();
    await page.getByText('CLIP checks all four categories.').waitFor();
    // The files that are due would be running by now.
    await chooseFiles(page, [await sample('otter')]);
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await page.getByRole('row').getByRole('button', { name: 'lemur.jpg', exact: true }).click();
    await verdict(page, 'lemur.jpg').getByText('Flagged').waitFor();
    expect(await page.getByText('Checked by CLIP').count()).toBe(0);
    expect(await page.getByText('made with earlier settings').count()).toBe(0);
  });

  test('is not offered where it cannot run, even before there is an image', async () => {
    const baseURL = await servePagesWithDevice({ memoryGb: 0.25, hasGpu: false });
    const { page } = await visit('/moderate', { baseURL });
    await page.getByText("CLIP can't run on this device.").waitFor();
    expect(await page.getByRole('button', { name: /CLIP/ }).count()).toBe(0);
  });
});

test('a photo of a phone is checked here, though it is larger than the server accepts', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/moderate');
  const create = { width: 4032, height: 3024, channels: 3, background: '#807060' } as const;
  const buffer = await sharp({ create }).jpeg().toBuffer();
  await chooseFiles(page, [{ name: 'phone.jpg', mimeType: 'image/jpeg', buffer }]);
  await verdict(page, 'phone.jpg').getByRole('status').getByText('Sexual: safe').waitFor();
});

test('files checked here can be checked by the server, which judges all categories, and their verdicts stay', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/moderate');
  await chooseFiles(page, [await sample('lemur')]);
  await verdict(page, 'lemur.jpg').getByText('Sexual: safe').waitFor();
  await page.getByRole('radio', { name: 'Our server' }).check();
  // The visitor is not signed in here: one who is sees the price on a button.
  await page.getByRole('link', { name: /^Sign up to run it for/ }).waitFor();
  await verdict(page, 'lemur.jpg').getByText('Sexual: safe').waitFor();
  await page.getByRole('button', { name: 'Download 1 result' }).waitFor();
  await page.getByRole('radio', { name: 'This device' }).check();
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
});
