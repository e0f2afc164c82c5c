// @module-tag long
import type { FileChooser, Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { createBallPicture } from '../support/cutouts.ts';
import { createBrokenPicture, createTestPicture } from '../support/pictures.ts';
import { chooseFiles, connectBrowser, openPage, type TestFile } from '../support/visit.ts';

const visit = connectBrowser();

const LAPTOP = { viewport: { width: 1280, height: 720 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const LOW = { viewport: { width: 844, height: 390 } };

const pictures = (count: number): Promise<TestFile[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => createTestPicture(`photo-${at}.jpg`, at)));

/** Whether an element lies wholly within the window, and nothing covers its middle. */
const isInView = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const { left, right, top, bottom, width, height } = node.getBoundingClientRect();
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && height > 0;
    const onTop = document.elementFromPoint(left + width / 2, top + height / 2);
    return isInside && node.contains(onTop);
  });

const pageScrolls = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    return scrollHeight > clientHeight;
  });

const focusIsIn = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node === document.activeElement);

test('views and shortcuts stand next to the settings in narrower windows, too', async () => {
  const { page } = await visit('/remove-bg', LAPTOP);
  await chooseFiles(page, [await createBallPicture()]);
  await page.getByRole('radio', { name: 'Brush' }).check();
  const hint = page.getByText('Paint roughly: it finds the edges.');
  for (const width of [768, 820, 860, 900, 1024, 1100]) {
    await page.setViewportSize({ width, height: 900 });
    const overhang = await page.evaluate(() => {
      const aside = document.querySelector('aside')?.getBoundingClientRect();
      const isBeside = aside !== undefined && aside.left > 0;
      const end = isBeside ? aside.left : innerWidth;
      const parts = [...document.querySelectorAll('main header :is(label, button, h1)')];
      return parts.filter((part) => part.getBoundingClientRect().right > end).length;
    });
    expect([width, overhang]).toEqual([width, 0]);
    const [box, aside] = await Promise.all([hint.boundingBox(), page.locator('aside').boundingBox()]);
    if (!box || !aside) throw new Error('Something is not shown.');
    expect(box.x + box.width, `at ${width} pixels`).toBeLessThanOrEqual(aside.x);
  }
});

describe('on a small laptop', () => {
  test('the action stays in view with every section of the settings open, and only the settings scroll', async () => {
    const { page } = await visit('/remove-bg', LAPTOP);
    await chooseFiles(page, [await createBallPicture()]);
    const download = page.getByRole('button', { name: 'Download', exact: true });
    await download.waitFor();
    expect(await isInView(download)).toBe(true);
    for (const section of await page.locator('aside details > summary').all()) await section.click();
    await page.getByRole('radio', { name: /^Best available/ }).waitFor();
    expect(await isInView(download)).toBe(true);
    expect(await pageScrolls(page)).toBe(false);
    // The last setting is reached by the panel's own scroll.
    const last = page.getByRole('radio', { name: 'Our server' });
    await last.scrollIntoViewIfNeeded();
    expect(await isInView(last)).toBe(true);
    expect(await isInView(download)).toBe(true);
  });

  test.each([
    ['/convert', { width: 1280, height: 720 }],
    ['/convert', { width: 1440, height: 900 }],
    ['/convert', { width: 1024, height: 768 }],
    ['/remove-bg', { width: 1440, height: 900 }],
  ])('all files of %s stand in a strip in view, in a window of %o', async (path, viewport) => {
    const { page } = await visit(path, { viewport });
    await chooseFiles(
      page,
      path === '/convert' ? await pictures(3) : [await createBallPicture('photo-2.jpg')],
    );
    const tile = page.getByRole('button', { name: 'Show photo-2.jpg' });
    await tile.waitFor();
    expect(await isInView(tile)).toBe(true);
    expect(await isInView(page.getByRole('listitem').filter({ hasText: 'photo-2.jpg' }))).toBe(true);
    expect(await pageScrolls(page)).toBe(false);
  });

  test('the strip scrolls sideways to the file that the arrow keys choose', async () => {
    const { page } = await visit('/convert', LAPTOP);
    await chooseFiles(page, await pictures(20));
    await page.getByRole('button', { name: 'Show photo-0.jpg' }).click();
    await page.keyboard.press('End');
    const last = page.getByRole('button', { name: 'Show photo-19.jpg' });
    await expect.poll(() => focusIsIn(last)).toBe(true);
    expect(await last.getAttribute('aria-pressed')).toBe('true');
    expect(await isInView(last)).toBe(true);
    await page.getByRole('region', { name: 'photo-19.jpg' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('region', { name: 'photo-18.jpg' }).waitFor();
  });

  test('a click on the middle of a finished tile shows its file', async () => {
    const { page } = await visit('/convert', LAPTOP);
    await chooseFiles(page, await pictures(2));
    await page.getByRole('button', { name: 'Convert 2 images' }).click();
    await page.getByText('2 done').waitFor();
    await page.getByRole('button', { name: 'Show photo-1.jpg' }).click();
    await page.getByRole('region', { name: 'photo-1.jpg, result' }).waitFor();
  });

  test('the views of the stage stand in the head of every tool', async () => {
    const { page } = await visit('/convert', LAPTOP);
    const head = page.getByRole('main').locator('header');
    await chooseFiles(page, [await createTestPicture()]);
    await page.getByRole('button', { name: 'Convert 1 image' }).click();
    for (const view of ['Result', 'Original', 'Compare']) {
      await head.getByRole('radio', { name: view }).check();
    }
    await page.getByRole('slider', { name: /Share of the original/ }).waitFor();
    await openPage(page, '/remove-bg');
    await chooseFiles(page, [await createBallPicture()]);
    for (const view of ['Compare', 'Edges', 'Brush', 'Result']) {
      await head.getByRole('radio', { name: view }).check();
    }
  });
});

describe('on a phone', () => {
  test('the sheet has half the height, its action is whole, and the image stays visible above it', async () => {
    const { page } = await visit('/convert', PHONE);
    await chooseFiles(page, [await createTestPicture()]);
    const sheet = page.getByRole('complementary', { name: 'Settings' });
    const convert = page.getByRole('button', { name: 'Convert 1 image' });
    await convert.waitFor();
    const getHeight = async () => (await sheet.boundingBox())?.height;
    expect(await getHeight()).toBe(422);
    expect(await isInView(convert)).toBe(true);
    expect(await isInView(page.getByRole('img', { name: 'holiday.jpg' }))).toBe(true);
    expect(await pageScrolls(page)).toBe(false);

    const handle = page.getByRole('button', { name: /^Settings: / });
    await handle.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'Settings: lowest height' }).waitFor();
    expect(await getHeight()).toBe(116);
    expect(await isInView(convert)).toBe(true);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.getByRole('button', { name: 'Settings: full height' }).waitFor();
    expect(await getHeight()).toBeCloseTo(0.92 * 844, 0);
    expect(await isInView(convert)).toBe(true);
  });

  test('the sheet is dragged to another height, and a click on its handle opens it', async () => {
    const { page } = await visit('/convert', PHONE);
    await chooseFiles(page, [await createTestPicture()]);
    const handle = page.getByRole('button', { name: 'Settings: half height' });
    const box = await handle.boundingBox();
    if (!box) throw new Error('The sheet has no handle.');
    await page.mouse.move(box.x + box.width / 2, box.y + 12);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, 780, { steps: 5 });
    await page.mouse.up();
    const low = page.getByRole('button', { name: 'Settings: lowest height' });
    await low.click();
    await handle.waitFor();
  });

  test('the brush, its undo and the image are in view together', async () => {
    const { page } = await visit('/remove-bg', PHONE);
    await chooseFiles(page, [await createBallPicture()]);
    await page.getByRole('radio', { name: 'Brush' }).check();
    const sheet = await page.getByRole('complementary', { name: 'Settings' }).boundingBox();
    const brush = await page.getByRole('application', { name: 'Brush' }).boundingBox();
    const undo = await page.getByRole('button', { name: 'Undo' }).boundingBox();
    if (!sheet || !brush || !undo) throw new Error('Something is not shown.');
    expect(brush.height).toBeGreaterThan(400);
    expect(brush.y + brush.height).toBeLessThanOrEqual(undo.y);
    expect(undo.y + undo.height).toBeLessThanOrEqual(sheet.y);
    expect(undo.x + undo.width).toBeLessThanOrEqual(390);
  });
});

test('in a low window the page flows, and the action stays at its lower edge', async () => {
  const { page } = await visit('/convert', LOW);
  await chooseFiles(page, await pictures(2));
  const convert = page.getByRole('button', { name: 'Convert 2 images' });
  await convert.waitFor();
  expect(await pageScrolls(page)).toBe(true);
  expect(await isInView(convert)).toBe(true);
  // A tile that is chosen further down brings the stage back.
  const tile = page.getByRole('button', { name: 'Show photo-1.jpg' });
  await tile.scrollIntoViewIfNeeded();
  await tile.click();
  const image = page.getByRole('img', { name: 'photo-1.jpg' });
  await image.waitFor();
  expect((await image.boundingBox())?.y).toBeGreaterThanOrEqual(0);
});

describe('the focus', () => {
  test('goes to the stage when files are chosen, and to the result after a run', async () => {
    const { page } = await visit('/convert');
    await chooseFiles(page, [await createTestPicture()]);
    const stage = page.getByRole('region', { name: 'holiday.jpg' });
    await expect.poll(() => focusIsIn(stage)).toBe(true);
    // A ring around the whole stage would read as an error to a visitor who uses no keyboard.
    expect(await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)).toBe(
      'none',
    );
    await page.getByRole('button', { name: 'Convert 1 image' }).press('Enter');
    const result = page.getByRole('region', { name: 'holiday.jpg, result' });
    await result.waitFor();
    await expect.poll(() => focusIsIn(result)).toBe(true);
  });

  test('goes to the reason when a run fails, and to the way back when a file is removed', async () => {
    const { page } = await visit('/convert');
    await chooseFiles(page, [createBrokenPicture('broken.jpg'), await createTestPicture()]);
    await page.getByRole('button', { name: 'Convert 1 image' }).press('Enter');
    const broken = page.getByRole('region', { name: 'broken.jpg' });
    await expect.poll(() => focusIsIn(broken)).toBe(true);
    await page.getByRole('button', { name: 'Remove broken.jpg' }).press('Enter');
    await expect.poll(() => focusIsIn(page.getByRole('button', { name: 'Undo' }))).toBe(true);
    await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
    const stage = page.getByRole('region', { name: /^holiday\.jpg/ });
    await expect.poll(() => focusIsIn(stage)).toBe(true);
  });

  test('stays where the visitor has put it while files run', async () => {
    const { page } = await visit('/convert');
    await chooseFiles(page, [await createTestPicture()]);
    await page.getByRole('button', { name: 'Convert 1 image' }).click();
    const keys = page.getByRole('button', { name: 'Keyboard shortcuts' });
    await keys.focus();
    await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
    expect(await focusIsIn(keys)).toBe(true);
  });
});

describe('keyboard shortcuts', () => {
  test('? lists them all, Escape closes the list, and the focus returns', async () => {
    const { page } = await visit('/convert');
    await chooseFiles(page, [await createTestPicture()]);
    const stage = page.getByRole('region', { name: 'holiday.jpg' });
    await expect.poll(() => focusIsIn(stage)).toBe(true);
    // The strip, whose shortcuts the list has, may come after the stage.
    await page.getByRole('list', { name: 'Files' }).waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const does of ['List all shortcuts', 'Choose files', 'Run, or download']) {
      await dialog.getByText(does).waitFor();
    }
    // There is no other file to go to.
    expect(await dialog.getByText('Show the next file').count()).toBe(0);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await listAccessibilityViolations(page)).toEqual([]);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await focusIsIn(stage)).toBe(true);
  });

  test('files, views and the action are reached by their keys', async () => {
    const { page } = await visit('/convert');
    // Playwright intercepts the system's picker only some time after a listener exists: a first press may be too early.
    let asked: FileChooser | undefined;
    page.on('filechooser', (chooser) => {
      asked ??= chooser;
    });
    const pressed = async () => {
      if (!asked) await page.keyboard.press('o');
      return asked !== undefined;
    };
    await expect.poll(pressed).toBe(true);
    await asked?.setFiles(await pictures(2));
    await page.getByRole('region', { name: 'photo-0.jpg' }).waitFor();
    // The files arrive one after the other: there may be no next one yet.
    await page.getByRole('button', { name: 'Show photo-1.jpg' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('region', { name: 'photo-1.jpg' }).waitFor();
    // The action is there once it is known what fits this device.
    await page.getByRole('button', { name: 'Convert 2 images' }).click({ trial: true });
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('button', { name: 'Download all 2 as zip' }).waitFor();
    await page.getByRole('radio', { name: 'Compare', checked: true }).waitFor();
    await page.keyboard.press('v');
    await page.getByRole('radio', { name: 'Original', checked: true }).waitFor();
    await page.keyboard.press('Shift+V');
    await page.getByRole('radio', { name: 'Compare', checked: true }).waitFor();
    await page.keyboard.press('p');
    await page.getByRole('region', { name: 'photo-0.jpg, result' }).waitFor();
  });

  test('those of one key can be turned off', async () => {
    const { page } = await visit('/convert');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await dialog.getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    expect(await dialog.getByRole('checkbox').isChecked()).toBe(false);
  });
});
