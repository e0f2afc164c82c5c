// @module-tag long
import type { Page } from 'playwright';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createHeicWithThumbnail, THUMBNAIL } from '../../support/media/thumbnail-files.ts';
import { chooseFiles, connectBrowser } from '../support/visit.ts';

const visit = connectBrowser();

declare global {
  interface Window {
    /** Lets the page decode its images. */
    release(): void;
    /** Places of the words that say what is waited for, as shares of the stage from its top. */
    places: number[];
    /** Sizes and middle colours of the small copies that were shown, in order. */
    copies: { readonly size: readonly [number, number]; readonly colour: readonly number[] }[];
  }
}

/** Opens Convert, where no image is decoded until `release` is called. */
async function visitHeld(): Promise<Page> {
  const { page } = await visit('/convert', {
    prepare: (prepared) =>
      prepared.addInitScript(() => {
        window.places = [];
        const look = () => {
          for (const words of document.querySelectorAll('p')) {
            if (!words.textContent?.startsWith('Opening ')) continue;
            const stage = words.closest('section')?.getBoundingClientRect();
            if (stage) window.places.push((words.getBoundingClientRect().top - stage.top) / stage.height);
          }
        };
        window.copies = [];
        document.addEventListener(
          'load',
          ({ target }) => {
            if (!(target instanceof HTMLImageElement) || !target.alt.endsWith(', small')) return;
            const { naturalWidth: width, naturalHeight: height } = target;
            const context = new OffscreenCanvas(width, height).getContext('2d');
            context?.drawImage(target, 0, 0);
            const { data } = context?.getImageData(width >> 1, height >> 1, 1, 1) ?? { data: [] };
            window.copies.push({ size: [width, height], colour: [...data] });
          },
          true,
        );
        new MutationObserver(look).observe(document, { subtree: true, childList: true });
        const decode = HTMLImageElement.prototype.decode;
        const released = new Promise<void>((resolve) => {
          window.release = resolve;
        });
        HTMLImageElement.prototype.decode = async function (this: HTMLImageElement) {
          await released;
          return decode.call(this);
        };
      }),
  });
  return page;
}

/** Returns the size and the colours of an image on the page at some places, in shares of its sides. */
function look(page: Page, alt: string, places: readonly (readonly [number, number])[]) {
  return page.getByAltText(alt, { exact: true }).evaluate(async (element, at) => {
    const image = element as HTMLImageElement;
    if (!image.complete) await new Promise((done) => image.addEventListener('load', done, { once: true }));
    const { naturalWidth: width, naturalHeight: height } = image;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context?.drawImage(image, 0, 0);
    const colours = at.map(([x, y]) =>
      Array.from(context?.getImageData(Math.floor(x * width), Math.floor(y * height), 1, 1).data ?? []),
    );
    return { width, height, colours };
  }, places);
}

const isNear = (colour: readonly number[] = [], ...wanted: readonly number[]) =>
  wanted.every((value, at) => Math.abs(value - (colour[at] ?? 0)) < 40);

/** JPEG of a camera that was held upright: a red and a blue half, under noise, which lie on their side in the file. */
async function createTallPhoto(): Promise<Buffer> {
  const [width, height] = [3200, 2400];
  const data = Buffer.alloc(width * height * 3);
  let state = 1;
  for (let at = 0; at < data.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const isLeft = Math.floor(at / 3) % width < width / 2;
    const colour = isLeft ? [190, 40, 40] : [40, 40, 190];
    data[at] = (colour[at % 3] ?? 0) + (state >>> 27);
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 95 })
    .toBuffer();
}

describe('while an image is decoded', () => {
  test('a large JPEG is shown small and upright', async () => {
    const page = await visitHeld();
    await chooseFiles(page, [{ name: 'tall.jpg', mimeType: 'image/jpeg', buffer: await createTallPhoto() }]);
    const sight = await look(page, 'Opening tall.jpg, small', [
      [0.5, 0.1],
      [0.5, 0.9],
    ]);
    expect([sight.width, sight.height]).toEqual([600, 800]);
    // Turned clockwise, the left half of the file is the upper one.
    expect(isNear(sight.colours[0], 205, 55, 55)).toBe(true);
    expect(isNear(sight.colours[1], 55, 55, 205)).toBe(true);
    await page.evaluate(() => window.release());
    const whole = await look(page, 'tall.jpg', [[0.5, 0.1]]);
    expect([whole.width, whole.height]).toEqual([2400, 3200]);
  });

  test('a HEIC is shown by the thumbnail in it, on the stage and on its tile', async () => {
    const page = await visitHeld();
    const buffer = Buffer.from(await createHeicWithThumbnail());
    await chooseFiles(page, [{ name: 'phone.heic', mimeType: 'image/heic', buffer }]);
    // A sharper copy of our own may follow.
    await expect.poll(() => page.evaluate(() => window.copies.length)).toBeGreaterThan(0);
    const [first] = await page.evaluate(() => window.copies);
    expect(first?.size).toEqual([THUMBNAIL.height, THUMBNAIL.width]);
    const { r, g, b } = THUMBNAIL.colour;
    expect(isNear(first?.colour, r, g, b)).toBe(true);
    // The words stay where they were before there was a thumbnail.
    const places = await page.evaluate(() => window.places);
    expect(Math.max(...places) - Math.min(...places)).toBeLessThan(0.1);
    await page.evaluate(() => window.release());
    expect((await look(page, 'phone.heic', [[0.5, 0.5]])).width).toBe(1200);
  });
});
