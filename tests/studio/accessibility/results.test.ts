// @module-tag long

import { join } from 'node:path';
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { TOOL_LIST, TOOLS } from '../../../app/studio/tools/tools.ts';
import { listViolationsInBothThemes } from '../support/accessibility.ts';
import { cutOff } from '../support/cut-off.ts';
import { refuseSharperModels } from '../support/stored-weights.ts';
import { connectBrowser } from '../support/visit.ts';

const visit = connectBrowser();

/** A window of 1440 x 900 at 200 %, a phone on its side, and a narrow one. */
const WINDOWS = [
  { width: 720, height: 450 },
  { width: 844, height: 390 },
  { width: 360, height: 740 },
] as const;
/** Least side of what a finger hits, in pixels. */
const TARGET_MIN = 24;

/** Button that saves the result: all files where there are several. */
const getDownload = (page: Page) => page.getByRole('button', { name: /^Download( SRT| all \d as zip)?$/ });

/** Waits for the result of the tool's sample, and for the end of what the page does with it. */
async function showResult(page: Page, sample: string): Promise<void> {
  await refuseSharperModels(page);
  await page.locator('input[type=file]').first().setInputFiles(join('public', sample));
  const start = page.getByRole('button', { name: / 1 (image|audio file|video)$/ });
  const done = getDownload(page);
  await start.or(done).first().waitFor();
  if (await start.isVisible()) await start.click();
  await done.waitFor();
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
}

/** Lists the controls in view that are smaller than a finger needs. */
function smallTargets(page: Page): Promise<string[]> {
  return page.locator('main :is(button, a, input, select, summary)').evaluateAll((controls, least) => {
    const seen = controls.filter((control) => control.checkVisibility());
    const small = seen.filter((control) => {
      const { width, height } = control.getBoundingClientRect();
      // What is one pixel large is for screen readers: its label is the target.
      return Math.min(width, height) > 1 && Math.min(width, height) < least;
    });
    return small.map((control) => control.getAttribute('aria-label') ?? control.textContent ?? '');
  }, TARGET_MIN);
}

describe.each(TOOL_LIST)('the result of $name', ({ slug, sample }) => {
  const shown = visit.share(async () => {
    const visited = await visit(`/${slug}`);
    await showResult(visited.page, sample.url);
    return visited;
  });

  test.each(WINDOWS)('is whole at $width x $height, and fingers hit its controls', async (size) => {
    const { page } = await shown();
    await page.setViewportSize(size);
    await expect.poll(() => cutOff(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    const { y = 0, height = 0 } = (await getDownload(page).boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(size.height);
  });

  test('passes axe in both themes', async () => {
    const { page } = await shown();
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await listViolationsInBothThemes(page)).toEqual([]);
  });

  test('passes axe where a file is broken', async () => {
    const { page } = await visit(`/${slug}`);
    const isSound = /\.(wav|mp3)$/.test(sample.url);
    // The signature is right, and nothing after it.
    const file = isSound
      ? { name: 'broken.wav', mimeType: 'audio/wav', buffer: Buffer.from('RIFF\0\0\0\0WAVEfmt ') }
      : { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('ffd8ffe000104a464946', 'hex') };
    await page.locator('input[type=file]').first().setInputFiles(file);
    const start = page.getByRole('button', { name: / 1 (image|audio file)$/ });
    const reason = page.getByRole('alert').first();
    // Some tools begin by themselves.
    await Promise.race([start.click(), reason.waitFor()]);
    await reason.waitFor();
    expect(await listViolationsInBothThemes(page)).toEqual([]);
  });

  if (slug !== TOOLS['audio-separate-stems'].slug) return;
  test('shows all stems at once on a phone', async () => {
    const { page } = await shown();
    await page.setViewportSize({ width: 390, height: 844 });
    const hidden = () =>
      page
        .getByRole('region', { name: 'Tracks' })
        .evaluate((tracks) => tracks.scrollHeight - tracks.clientHeight);
    await expect.poll(hidden).toBe(0);
  });
});

test('the verdict on an image is in view in a low window', async () => {
  const { page } = await visit('/moderate', { viewport: WINDOWS[1] });
  await showResult(page, TOOLS['image-moderation'].sample.url);
  const words = page.getByText('Sexual: safe');
  await words.waitFor();
  const { y = 0, height = 0 } = (await words.boundingBox()) ?? {};
  const bar = await getDownload(page).boundingBox();
  expect(y + height).toBeLessThanOrEqual(bar?.y ?? 0);
});

test('on a phone the buttons that zoom leave every edge of an image to a finger', async () => {
  const { page } = await visit('/extend', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await page.locator('input[type=file]').first().setInputFiles('public/samples/kitten.jpg');
  await page.getByRole('slider', { name: 'Bottom edge' }).waitFor();
  await page.locator('[aria-label="Zoom"]').waitFor();
  const covered = await page.locator('[data-side]').evaluateAll((edges) => {
    // What a finger on the grip in the middle of an edge hits: the well ends just beyond it.
    const isFree = (edge: Element): boolean => {
      const { left, top, width, height } = edge.getBoundingClientRect();
      const inwards = ['left', 'top'].includes(edge.getAttribute('data-side') ?? '') ? 12 : -12;
      const isLying = width > height;
      return [-20, 0, 20].every((along) =>
        [0, inwards].every((across) => {
          const [x, y] = isLying ? [along, across] : [across, along];
          return document.elementFromPoint(left + width / 2 + x, top + height / 2 + y) === edge;
        }),
      );
    };
    return edges.filter((edge) => !isFree(edge)).map((edge) => edge.getAttribute('data-side'));
  });
  expect(covered).toEqual([]);
});
