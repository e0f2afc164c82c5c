import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSubjectVideo, SUBJECT_VIDEO } from '../../support/media/subject-video.ts';
import { decodeVideoFrames, readAudioPackets } from '../../support/media/videos.ts';
import { listAccessibilityViolations } from '../support/accessibility.ts';
import { prependStatement, serveAlteredPages } from '../support/altered-pages.ts';
import { createBallPicture } from '../support/cutouts.ts';
import { delayCodecs } from '../support/delay-codecs.ts';
import { servePagesWithDevice } from '../support/fake-device.ts';
import {
  chooseFiles,
  connectBrowser,
  downloadOnClick,
  expectCloseWarning,
  expectNoLogsOrUploads,
  type TestFile,
  type Visit,
} from '../support/visit.ts';
import { listZipEntries } from '../support/zip.ts';

const visit = connectBrowser();
const { width, height, frameCount } = SUBJECT_VIDEO;
const THEMES = ['dark', 'light'] as const;

const STUCK = `if (globalThis.VideoEncoder && !VideoEncoder.answers) {
  VideoEncoder.answers = VideoEncoder.isConfigSupported;
  VideoEncoder.isConfigSupported = (config) =>
    config.codec.startsWith('avc') ? new Promise(() => {}) : VideoEncoder.answers(config);
}`;

let clip: TestFile;
let withoutEncoder: string;
/** Encoder of MP4 that never responds. */
let withStuckEncoder: string;
beforeAll(async () => {
  const buffer = Buffer.from(await (await createSubjectVideo()).arrayBuffer());
  clip = { name: 'clip.mp4', mimeType: 'video/mp4', buffer };
  withoutEncoder = await serveAlteredPages((answer) =>
    prependStatement(answer, 'delete globalThis.VideoEncoder'),
  );
  withStuckEncoder = await serveAlteredPages((answer) => prependStatement(answer, STUCK));
});

const player = (page: Page, label: string) => page.locator(`video[aria-label="${label}"]`);
const start = (page: Page) =>
  page.getByRole('button', { name: 'Remove background from 1 video', exact: true });

/** Visits the page and removes the background of one video. */
async function cutOut(options?: Parameters<typeof visit>[1]): Promise<Visit> {
  const visited = await visit('/remove-bg', options);
  await chooseFiles(visited.page, [clip]);
  await player(visited.page, 'clip.mp4, original').waitFor();
  await visited.page.evaluate(recordTexts);
  await start(visited.page).click();
  await player(visited.page, 'clip.mp4, result').waitFor();
  return visited;
}

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

test('a video without a clear subject gets a message and the offer of a larger model, but no brush', {
  tags: ['long'],
}, async () => {
  const baseURL = await servePagesWithDevice({ memoryGb: 8, hasGpu: true });
  const { page } = await visit('/remove-bg', { baseURL });
  const buffer = await readFile(join(import.meta.dirname, '../../fixtures/videos/moving.mp4'));
  await chooseFiles(page, [{ ...clip, buffer }]);
  await start(page).click();
  const doubt = page.getByRole('note').filter({ hasText: /^(No clear subject|The outline is a guess)/ });
  await doubt.waitFor();
  await expect
    .poll(() => doubt.getByRole('button').allTextContents())
    .toEqual(['Try U²-Net small, 4.6 MB to download']);
});

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
function timeOf({ currentTime, seeking }: HTMLVideoElement): number {
  return seeking ? -1 : Math.round(currentTime * 1000) / 1000;
}

test('images beside a video are cut out at once, and each has the settings and format of its media type', {
  tags: ['long'],
}, async () => {
  const visited = await visit('/remove-bg');
  const { page } = visited;
  await chooseFiles(page, [clip, await createBallPicture()]);
  await page.getByRole('button', { name: 'Download the result of ball.jpg' }).waitFor();
  expect(await page.getByRole('radio', { name: 'WebP', exact: true }).count()).toBe(0);
  await start(page).click();
  await page.getByRole('button', { name: 'Show ball.jpg' }).click();
  await page.getByRole('radio', { name: 'WebP', exact: true }).check();
  const take = page.getByRole('button', { name: 'Download all 2 as zip' });
  await take.waitFor();
  const [, zip] = await downloadOnClick(page, () => take.click());
  expect(listZipEntries(zip)).toEqual(['clip-cutout.webm', 'ball-cutout.webp']);
  expectNoLogsOrUploads(visited);
});

test('a cancelled run leaves the video unchanged', { tags: ['long'] }, async () => {
  const { page } = await visit('/remove-bg');
  await chooseFiles(page, [clip]);
  await delayCodecs(page);
  await start(page).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await start(page).waitFor();
  await player(page, 'clip.mp4, original').waitFor();
});

test('a video dropped on the home page is offered only tools for videos', { tags: ['long'] }, async () => {
  const { page } = await visit('/');
  await chooseFiles(page, [clip]);
  await page.getByRole('heading', { name: '1 video. What would you like to do?' }).waitFor();
  expect(await page.getByRole('button', { name: /^Convert/ }).count()).toBe(0);
  await page.getByRole('button', { name: /^Remove background/ }).click();
  await start(page).waitFor();
});

test('a browser that cannot encode video gives the reason, and offers the server with its price', {
  tags: ['long'],
}, async () => {
  const { page } = await visit('/remove-bg', { baseURL: withoutEncoder });
  await chooseFiles(page, [clip]);
  await start(page).click();
  const reason = page.getByRole('main').getByRole('alert');
  await reason.waitFor();
  expect(await reason.textContent()).toMatch(/^This browser cannot encode VP9 .*run it on the server\.$/);
  await page.getByText('1 video may succeed on our server.').waitFor();
  await page.getByRole('link', { name: 'Sign up to run it for $0.05' }).waitFor();
});

describe('one cutout', { tags: ['long'] }, () => {
  const shared = visit.share(cutOut);

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
    expect(frames).toContain('1');
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
    await page.getByText('Darkroom 3.5 MB').waitFor();
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
    const times = () => Promise.all([before, after].map((each) => each.evaluate(timeOf)));
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
    await page.getByText('the video becomes twice as high').waitFor();
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

describe('a file whose encoder never answers', { tags: ['long'] }, () => {
  const shared = visit.share(() => cutOut({ baseURL: withStuckEncoder }));

  test('writing a file asks before the tab closes, and downloads nothing when cancelled', async () => {
    const { page } = await shared();
    await page.getByRole('radio', { name: 'MP4' }).check();
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByRole('button', { name: 'Preparing file…' }).waitFor();
    await expectCloseWarning(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('radio', { name: 'WebM' }).check();
    expect((await taken(page)).name).toBe('clip-cutout.webm');
  });

  test('a file that is being written is shown to whoever comes back to its page, and can be cancelled there', async () => {
    const { page } = await shared();
    await page.getByRole('radio', { name: 'MP4' }).check();
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByRole('button', { name: 'Preparing file…' }).waitFor();
    await page.getByRole('link', { name: 'Recent' }).first().click();
    await page.getByRole('heading', { name: 'Recent' }).waitFor();
    await expectCloseWarning(page);
    await page.goBack();
    await page.getByRole('button', { name: 'Preparing file…' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Download', exact: true }).and(page.locator(':enabled')).waitFor();
  });
});

describe('a video before its run', { tags: ['long'] }, () => {
  const waiting = visit.share(async () => {
    const visited = await visit('/remove-bg');
    await chooseFiles(visited.page, [clip]);
    await player(visited.page, 'clip.mp4, original').waitFor();
    return visited;
  });

  test.each(THEMES)('passes axe in the %s theme', async (colorScheme) => {
    const { page } = await waiting();
    await page.emulateMedia({ colorScheme });
    expect(await listAccessibilityViolations(page)).toEqual([]);
  });
});
