// @module-tag long

import type { Page } from 'playwright';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { SUBJECT_VIDEO } from '../../support/media/subject-video.ts';
import { decodeVideoFrames, readAudioPackets } from '../../support/media/videos.ts';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { openNotes } from '../support/stage.ts';
import { chooseClip, player, removeBackground } from '../support/video-cutouts.ts';
import { connectBrowser, downloadOnClick, expectNoLogsOrUploads, type Visit } from '../support/visit.ts';

const visit = connectBrowser();
const { width, height, frameCount } = SUBJECT_VIDEO;
const THEMES = ['dark', 'light'] as const;

function expectNear(colour: readonly number[], expected: readonly number[]): void {
  for (const channel of [0, 1, 2]) {
    expect(Math.abs((colour[channel] ?? 0) - (expected[channel] ?? 0))).toBeLessThan(12);
  }
}

const taken = async (page: Page) => {
  const [name, bytes] = await downloadOnClick(page, () =>
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  );
  const blob = new Blob([new Uint8Array(bytes)]);
  const frames = await decodeVideoFrames(blob);
  const corner = Array.from(frames[0]?.data.subarray(0, 4) ?? []);
  const size = [frames[0]?.width, frames[0]?.height];
  return { name, blob, size, corner, frameCount: frames.length };
};

/** Runs in the page: records all texts of a progress bar. */
function recordTexts(): void {
  const announced: string[] = [];
  const keep = () => {
    const bar = document.querySelector('li progress');
    announced.push(bar?.getAttribute('aria-valuetext') ?? '');
  };
  new MutationObserver(keep).observe(document, { subtree: true, childList: true, attributes: true });
  Object.assign(globalThis, { announced });
}

const isPaused = ({ paused }: HTMLVideoElement): boolean => paused;

/** Runs in the page: time while paused, in whole milliseconds. */
function getTime({ currentTime, seeking }: HTMLVideoElement): number {
  return seeking ? -1 : Math.round(currentTime * 1000) / 1000;
}

describe('one cutout', () => {
  const shared = visit.share(async () => {
    const visited = await chooseClip(visit);
    await visited.page.evaluate(recordTexts);
    await removeBackground(visited.page);
    return visited;
  });

  /** Returns the shared cutout with the settings of a new one. */
  async function untouched(): Promise<Visit> {
    const visited = await shared();
    for (const name of ['Result', 'Transparent', 'WebM']) {
      await visited.page.getByRole('radio', { name, exact: true }).check();
    }
    return visited;
  }

  test('progress shows the current frame and their total', async () => {
    const { page } = await shared();
    const announced = await page.evaluate<string[]>('announced');
    const frames = announced.flatMap((words) => /^frame (\d) of 4 · \d+ %$/.exec(words)?.[1] ?? []);
    expect(frames).not.toEqual([]);
  });

  test('a video starts on a click, and its cutout plays with transparency; nothing leaves the device', async () => {
    const visited = await untouched();
    const { page } = visited;
    const result = player(page, 'clip.mp4, result');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    expect(
      await result.evaluate(({ videoWidth, videoHeight, muted, loop }: HTMLVideoElement) => [
        [videoWidth, videoHeight],
        muted,
        loop,
      ]),
    ).toEqual([[width, height], false, true]);
    await page.getByRole('button', { name: 'Pause' }).click();
    const file = await taken(page);
    expect(file).toMatchObject({ name: 'clip-cutout.webm', size: [width, height], frameCount });
    expect(file.corner[3]).toBe(0);
    expect((await readAudioPackets(file.blob)).packets.length).toBeGreaterThan(0);
    await openNotes(page);
    await page.getByText('Darkroom 5.3 MB').waitFor();
    expectNoLogsOrUploads(visited);
  });

  test('a video is zoomed as an image is, before and after together, and its player stays', async () => {
    const { page } = await untouched();
    const [result, bar] = [player(page, 'clip.mp4, result'), page.getByRole('group', { name: 'Player' })];
    const zoom = page.getByTitle('Show the whole image');
    await expect.poll(() => zoom.textContent()).toContain('Fit');
    const [whole, place] = [await result.boundingBox(), await bar.boundingBox()];
    await page.getByRole('radio', { name: 'Compare' }).check();
    const well = page.getByRole('group', { name: 'Video view' });
    await well.focus();
    await page.keyboard.press('+');
    await expect
      .poll(async () => (await result.boundingBox())?.width)
      .toBeGreaterThan((whole?.width ?? 0) * 1.2);
    expect(await player(page, 'clip.mp4, original').boundingBox()).toEqual(await result.boundingBox());
    expect(await bar.boundingBox()).toEqual(place);
    await page.keyboard.press('1');
    await expect.poll(() => zoom.textContent()).toBe('100 %');
    await page.keyboard.press('0');
    await expect.poll(() => result.boundingBox()).toEqual(whole);
  });

  test('before and after play in sync, one of them audible, also by keyboard', async () => {
    const visited = await untouched();
    const { page } = visited;
    const original = player(page, 'clip.mp4, original');
    expect(await original.isVisible()).toBe(false);
    await page.getByRole('radio', { name: 'Compare' }).press('Space');
    await original.waitFor();
    const [before, after] = [original, player(page, 'clip.mp4, result')];
    const times = () => Promise.all([before, after].map((each) => each.evaluate(getTime)));
    expect(
      await Promise.all([before, after].map((each) => each.evaluate(({ muted }: HTMLVideoElement) => muted))),
    ).toEqual([true, false]);

    const place = page.getByRole('slider', { name: 'Position in the video' });
    await place.press('ArrowRight');
    await place.press('ArrowRight');
    await expect.poll(async () => new Set(await times()).size).toBe(1);
    expect((await times())[0]).toBeGreaterThan(0);
    const play = page.getByRole('button', { name: 'Play' });
    await play.press('Space');
    const paused = () => Promise.all([before, after].map((each) => each.evaluate(isPaused)));
    await expect.poll(paused).toEqual([false, false]);
    await page.getByRole('button', { name: 'Pause' }).press('Space');
    await play.waitFor();
    // One may be slightly longer than the other.
    await expect
      .poll(async () => Math.max(...(await times())) - Math.min(...(await times())))
      .toBeLessThan(0.05);

    const divider = page.getByRole('slider', { name: 'Share of the original that is shown' });
    await divider.press('ArrowRight');
    expect(await divider.getAttribute('aria-valuetext')).toBe('51 % original');
    expect(visited.complaints).toEqual([]);
  });

  test('backgrounds and formats change without another run, and the file has them', async () => {
    const visited = await untouched();
    const { page } = visited;
    const result = player(page, 'clip.mp4, result');
    const colour = () =>
      result.evaluate((video) => getComputedStyle(video.parentElement as Element).backgroundColor);
    await page.getByRole('radio', { name: 'Rose' }).check();
    await expect.poll(colour).toBe('rgb(232, 180, 184)');
    await page.getByRole('radio', { name: 'MP4' }).check();
    const { name, size, corner, blob } = await taken(page);
    expect([name, size]).toEqual(['clip-cutout.mp4', [width, height]]);
    expectNear(corner, [232, 180, 184]);
    expect((await readAudioPackets(blob)).codec).toBe('aac');
    expectNoLogsOrUploads(visited);
  });

  test('an image of the visitor becomes the background of a video', async () => {
    const { page } = await untouched();
    const buffer = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#0000ff' } })
      .png()
      .toBuffer();
    await page
      .locator('input[data-use=background]')
      .setInputFiles([{ name: 'blue.png', mimeType: 'image/png', buffer }]);
    await page.getByRole('button', { name: 'Another image' }).waitFor();
    expectNear((await taken(page)).corner, [0, 0, 255]);
  });

  test('the preview of a blurred video background matches the file', async () => {
    const { page } = await untouched();
    await page.getByRole('button', { name: 'Blurred' }).click();
    const shown = () =>
      page.evaluate(() => {
        const canvas = document
          .querySelector<HTMLCanvasElement>('video[aria-label$="result"]')
          ?.parentElement?.querySelector('canvas');
        return Array.from(canvas?.getContext('2d')?.getImageData(0, 0, 1, 1).data ?? []);
      });
    await expect.poll(async () => (await shown())[3]).toBe(255);
    expectNear((await taken(page)).corner, await shown());
  });

  test('the page explains a transparent MP4 before it is written', async () => {
    const { page } = await untouched();
    await page.getByRole('radio', { name: 'MP4' }).check();
    await page.getByText('Twice as high, with the matte below').waitFor();
    expect((await taken(page)).size).toEqual([width, height * 2]);
  });

  test.each(THEMES)('results and their comparison pass axe in the %s theme', async (colorScheme) => {
    const { page } = await untouched();
    await page.emulateMedia({ colorScheme });
    expect(await listAccessibilityViolations(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Compare' }).check();
    expect(await listAccessibilityViolations(page)).toEqual([]);
  });
});

describe('a video before its run', () => {
  const waiting = visit.share(() => chooseClip(visit));

  test.each(THEMES)('passes axe in the %s theme', async (colorScheme) => {
    const { page } = await waiting();
    await page.emulateMedia({ colorScheme });
    expect(await listAccessibilityViolations(page)).toEqual([]);
  });
});
