// @module-tag long

import type { Locator, Page } from 'playwright';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { getBox, pressOn, well, zoomWords } from '../support/stage.ts';
import { chooseFiles, connectBrowser, type TestFile } from '../support/visit.ts';

const visit = connectBrowser();

const IMAGE = { width: 2400, height: 1600 } as const;
/** Part of the image that can be seen through, in shares of its sides. */
const HOLE = { from: 0.25, to: 0.75 } as const;

/** Large image of a gradient. */
async function largePicture(): Promise<TestFile> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${IMAGE.width}" height="${IMAGE.height}">
    <defs><linearGradient id="g"><stop stop-color="#234"/><stop offset="1" stop-color="#dca"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/></svg>`;
  const buffer = await sharp(Buffer.from(svg)).jpeg().toBuffer();
  return { name: 'large.jpg', mimeType: 'image/jpeg', buffer };
}

/** Red image whose middle is transparent. */
async function holedPicture(): Promise<TestFile> {
  const [width, height] = [300, 200];
  const data = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isHole = [x / width, y / height].every((share) => share > HOLE.from && share < HOLE.to);
      data.set(isHole ? [0, 0, 0, 0] : [200, 30, 20, 255], (y * width + x) * 4);
    }
  }
  const buffer = await sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  return { name: 'holed.png', mimeType: 'image/png', buffer };
}

/** Returns the point of the image under a point of the page, in shares of its sides. */
async function shareAt(image: Locator, x: number, y: number): Promise<[number, number]> {
  const { left, top, width, height } = await getBox(image);
  return [(x - left) / width, (y - top) / height];
}

describe('an image in Convert', () => {
  const shared = visit.share(async () => {
    const visited = await visit('/convert');
    await chooseFiles(visited.page, [await largePicture()]);
    await visited.page.getByTitle('Show the whole image').waitFor();
    return visited;
  });

  /** Returns the shared visit with the whole image, and the image. */
  async function whole(): Promise<{ page: Page; image: Locator }> {
    const { page } = await shared();
    await pressOn(page);
    await expect.poll(() => zoomWords(page)).toContain('Fit');
    return { page, image: page.getByRole('img', { name: 'large.jpg', exact: true }) };
  }

  test('is shown whole at first, and its real zoom is named', async () => {
    const { page, image } = await whole();
    const [outer, inner] = [await getBox(well(page)), await getBox(image)];
    expect(inner.height).toBeCloseTo(outer.height, 0);
    expect(inner.width / inner.height).toBeCloseTo(IMAGE.width / IMAGE.height, 2);
    const percent = Math.round((inner.width / IMAGE.width) * 100);
    expect(await zoomWords(page)).toBe(`Fit · ${percent} %`);
  });

  test('is zoomed by the wheel, and the point under the pointer stays there', async () => {
    const { page, image } = await whole();
    await pressOn(page, '+', '+', '+');
    const { left, top, width, height } = await getBox(well(page));
    const at = [left + width * 0.3, top + height * 0.7] as const;
    const before = { share: await shareAt(image, ...at), ...(await getBox(image)) };
    await page.mouse.move(...at);
    await page.mouse.wheel(0, -300);
    await expect.poll(async () => (await getBox(image)).width).toBeGreaterThan(before.width * 1.5);
    const after = { share: await shareAt(image, ...at), ...(await getBox(image)) };
    expect(Math.abs(after.share[0] - before.share[0]) * after.width).toBeLessThan(1.5);
    expect(Math.abs(after.share[1] - before.share[1]) * after.height).toBeLessThan(1.5);
  });

  test('is shown at 100 % by a double click, around the pointer, and whole by another', async () => {
    const { page, image } = await whole();
    const { left, top, width, height } = await getBox(well(page));
    const at = [left + width * 0.6, top + height * 0.5] as const;
    await page.mouse.dblclick(...at);
    await expect.poll(() => zoomWords(page)).toBe('100 %');
    expect((await getBox(image)).width).toBeCloseTo(IMAGE.width, 0);
    await page.mouse.dblclick(...at);
    await expect.poll(() => zoomWords(page)).toContain('Fit');
  });

  test('is zoomed by + and -, shown at 100 % by 1 and whole by 0, and by the buttons', async () => {
    const { page } = await whole();
    await pressOn(page, '1');
    await expect.poll(() => zoomWords(page)).toBe('100 %');
    await pressOn(page, '1', '+', '+');
    await expect.poll(() => zoomWords(page)).toBe('200 %');
    await well(page).press('-');
    await expect.poll(() => zoomWords(page)).toBe('141 %');
    await well(page).press('0');
    await expect.poll(() => zoomWords(page)).toContain('Fit');
    const zoom = page.getByRole('group', { name: 'Zoom' });
    await zoom.getByRole('button', { name: '100 %', exact: true }).click();
    await zoom.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => zoomWords(page)).toBe('141 %');
    await zoom.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(() => zoomWords(page)).toBe('100 %');
    await zoom.getByRole('button', { name: '100 %: show the whole image' }).click();
    await expect.poll(() => zoomWords(page)).toContain('Fit');
  });

  test('is moved by a drag and by arrow keys, and never leaves the well', async () => {
    const { page, image } = await whole();
    await pressOn(page, '1');
    const outer = await getBox(well(page));
    const middle = [outer.left + outer.width / 2, outer.top + outer.height / 2] as const;
    const before = await getBox(image);
    await page.mouse.move(...middle);
    await page.mouse.down();
    await page.mouse.move(middle[0] - 60, middle[1] + 40, { steps: 4 });
    await page.mouse.up();
    const moved = await getBox(image);
    // Drawn on whole pixels of the screen.
    expect(Math.abs(moved.left - before.left + 60)).toBeLessThanOrEqual(1);
    expect(Math.abs(moved.top - before.top - 40)).toBeLessThanOrEqual(1);

    await well(page).press('ArrowRight');
    await expect.poll(async () => (await getBox(image)).left).toBeLessThan(moved.left - 20);

    await page.mouse.move(...middle);
    await page.mouse.down();
    await page.mouse.move(middle[0] + 3000, middle[1] + 3000, { steps: 4 });
    await page.mouse.up();
    const bound = await getBox(image);
    expect([bound.left, bound.top].map(Math.round)).toEqual([outer.left, outer.top].map(Math.round));
  });

  test('is drawn in squares above 400 %, and smoothly below', async () => {
    const { page, image } = await whole();
    const drawing = () => image.evaluate((element) => getComputedStyle(element).imageRendering);
    await pressOn(page, '1', '+', '+', '+', '+');
    await expect.poll(() => zoomWords(page)).toBe('400 %');
    expect(await drawing()).toBe('auto');
    await well(page).press('+');
    await expect.poll(drawing).toBe('pixelated');
  });

  test.each(['dark', 'light'] as const)('passes axe when zoomed, in the %s theme', async (colorScheme) => {
    const { page } = await whole();
    await page.emulateMedia({ colorScheme });
    await pressOn(page, '1');
    expect(await listAccessibilityViolations(page)).toEqual([]);
  });
});

test('100 % is one image pixel on one device pixel, also on a screen with two per CSS pixel', async () => {
  const { page } = await visit('/convert', { deviceScaleFactor: 2 });
  await chooseFiles(page, [await largePicture()]);
  const image = page.getByRole('img', { name: 'large.jpg', exact: true });
  await page.getByRole('button', { name: '100 %', exact: true }).click();
  await expect.poll(async () => (await getBox(image)).width).toBeCloseTo(IMAGE.width / 2, 0);
});

test('two fingers zoom and move the image', async () => {
  const { page } = await visit('/convert', { hasTouch: true });
  await chooseFiles(page, [await largePicture()]);
  await page.getByTitle('Show the whole image').waitFor();
  const image = page.getByRole('img', { name: 'large.jpg', exact: true });
  const { left, top, width, height } = await getBox(well(page));
  const before = await getBox(image);
  const [x, y] = [left + width / 2, top + height / 2];
  const touch = await page.context().newCDPSession(page);
  const fingers = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
    touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        type === 'touchEnd'
          ? []
          : [
              { x: x - apart, y, id: 1 },
              { x: x + apart, y, id: 2 },
            ],
    });
  await fingers('touchStart', 40);
  for (const apart of [60, 80, 100, 120]) await fingers('touchMove', apart);
  await fingers('touchEnd', 120);
  await expect.poll(async () => (await getBox(image)).width / before.width).toBeCloseTo(3, 1);
  expect((await shareAt(image, x, y))[0]).toBeCloseTo(0.5, 2);
});

test('both sides are compared at 200 % with one zoom, and the divider stays in the well', async () => {
  const { page } = await visit('/convert');
  await page.getByRole('radio', { name: 'WebP', exact: true }).check();
  await chooseFiles(page, [await largePicture()]);
  await page.getByRole('button', { name: 'Convert 1 image' }).click();
  const [before, after] = ['original', 'result'].map((name) =>
    page.getByRole('img', { name: `large.jpg, ${name}` }),
  ) as [Locator, Locator];
  await after.waitFor();
  await pressOn(page, '1', '+', '+');
  await expect.poll(() => zoomWords(page)).toBe('200 %');
  const outer = await getBox(well(page));
  const grip = page.locator('[data-grip]');
  const gripAt = async () => {
    const { left, width } = await getBox(grip);
    return Math.round(((left + width / 2 - outer.left) / outer.width) * 100);
  };
  expect((await getBox(before)).width).toBeCloseTo(IMAGE.width * 2, 0);
  expect(await getBox(after)).toEqual(await getBox(before));
  expect(await gripAt()).toBe(50);

  const middle = outer.top + outer.height / 2;
  const drag = async (from: number, to: number) => {
    await page.mouse.move(outer.left + outer.width * from, middle);
    await page.mouse.down();
    await page.mouse.move(outer.left + outer.width * to, middle, { steps: 4 });
    await page.mouse.up();
  };
  const start = await getBox(before);
  await drag(0.2, 0.3);
  const moved = await getBox(before);
  expect(moved.left - start.left).toBeCloseTo(outer.width * 0.1, 0);
  expect(await getBox(after)).toEqual(moved);
  expect(await gripAt()).toBe(50);
  await drag(0.5, 0.75);
  await expect.poll(gripAt).toBe(75);
  expect(await getBox(before)).toEqual(moved);
});

/** Returns the colours that a part of the page shows, the frequent ones. */
async function coloursIn(page: Page, box: Awaited<ReturnType<typeof getBox>>): Promise<string[]> {
  const clip = { x: box.left, y: box.top, width: box.width, height: box.height };
  const { data, info } = await sharp(await page.screenshot({ clip }))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const counts = new Map<string, number>();
  for (let at = 0; at < data.length; at += info.channels) {
    const colour = data.subarray(at, at + 3).join(' ');
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const pixels = info.width * info.height;
  return [...counts].flatMap(([colour, count]) => (count > pixels / 10 ? [colour] : [])).sort();
}

test('a transparent image lies on a checkerboard in Convert, of the shade that is chosen', async () => {
  const { page } = await visit('/convert', { colorScheme: 'light' });
  await chooseFiles(page, [await holedPicture()]);
  const image = page.getByRole('img', { name: 'holed.png', exact: true });
  const board = page.getByRole('button', { name: 'Other checkerboard' });
  await board.waitFor();
  const hole = async () => {
    const { left, top, width, height } = await getBox(image);
    return { left: left + width * 0.4, top: top + height * 0.3, width: 96, height: 96 };
  };
  const light = await coloursIn(page, await hole());
  expect(light).toEqual(['230 223 211', '255 255 255']);
  await board.click();
  await expect.poll(async () => coloursIn(page, await hole())).toEqual(['27 24 22', '38 34 31']);
  await chooseFiles(page, [await largePicture()]);
  await page.getByRole('button', { name: 'Show large.jpg' }).click();
  await page.getByRole('img', { name: 'large.jpg', exact: true }).waitFor();
  await board.waitFor({ state: 'detached' });
});
