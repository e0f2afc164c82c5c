import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { SUBJECT_VIDEO, subjectVideo } from '../support/subject-video.ts';
import { framesOf, soundOf } from '../support/videos.ts';
import { servePagesAltered, withPreamble } from './support/altered-pages.ts';
import { ballPicture } from './support/cutouts.ts';
import { faultsOf } from './support/faults.ts';
import {
  chooseFiles,
  downloadBy,
  expectQuietAndPrivate,
  inBrowser,
  type TestFile,
  type Visit,
} from './support/visit.ts';
import { zipNames } from './support/zip.ts';

const visit = inBrowser();
const { width, height, frameCount } = SUBJECT_VIDEO;
const RUN = { timeout: 60_000 };

let clip: TestFile;
let withoutEncoder: string;
beforeAll(async () => {
  const buffer = Buffer.from(await (await subjectVideo()).arrayBuffer());
  clip = { name: 'clip.mp4', mimeType: 'video/mp4', buffer };
  withoutEncoder = await servePagesAltered((answer) =>
    withPreamble(answer, 'delete globalThis.VideoEncoder'),
  );
});

const player = (page: Page, label: string) => page.locator(`video[aria-label="${label}"]`);
const start = (page: Page) => page.getByRole('button', { name: 'Cut out 1 video', exact: true });

/** A visit on which the background of one video has been removed. */
async function cutOut(options?: Parameters<typeof visit>[1]): Promise<Visit> {
  const visited = await visit('/remove-bg', options);
  await chooseFiles(visited.page, [clip]);
  await start(visited.page).click();
  await player(visited.page, 'clip.mp4, result').waitFor(RUN);
  return visited;
}

const taken = async (page: Page) => {
  const [name, bytes] = await downloadBy(page, () =>
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  );
  const blob = new Blob([new Uint8Array(bytes)]);
  const frames = await framesOf(blob);
  const corner = Array.from(frames[0]?.data.subarray(0, 4) ?? []);
  const size = [frames[0]?.width, frames[0]?.height];
  return { name, blob, size, corner, frameCount: frames.length };
};

test('a video waits for a click, and plays with transparency when it is cut out; nothing leaves the device', async () => {
  const visited = await visit('/remove-bg');
  const { page } = visited;
  await chooseFiles(page, [clip]);
  await player(page, 'clip.mp4, original').waitFor();
  await start(page).click();
  const result = player(page, 'clip.mp4, result');
  await result.waitFor(RUN);
  await result.evaluate((video: HTMLVideoElement) => video.play());
  expect(
    await result.evaluate(({ videoWidth, videoHeight, muted, loop }: HTMLVideoElement) => [
      [videoWidth, videoHeight],
      muted,
      loop,
    ]),
  ).toEqual([[width, height], true, true]);
  const file = await taken(page);
  expect(file).toMatchObject({ name: 'clip.webm', size: [width, height], frameCount });
  expect(file.corner[3]).toBe(0);
  expect((await soundOf(file.blob)).packets.length).toBeGreaterThan(0);
  await page.getByText('Darkroom 3.5 MB').waitFor();
  expectQuietAndPrivate(visited);
});

test('another background and format are chosen before a run, and a result made with others goes', async () => {
  const { page } = await cutOut();
  await page.getByRole('radio', { name: 'Rose' }).check();
  await page.getByRole('radio', { name: 'MP4' }).check();
  await player(page, 'clip.mp4, original').waitFor();
  await start(page).click();
  await player(page, 'clip.mp4, result').waitFor(RUN);
  const { name, size, corner } = await taken(page);
  expect([name, size]).toEqual(['clip.mp4', [width, height]]);
  for (const [channel, value] of [232, 180, 184].entries()) {
    expect(Math.abs((corner[channel] ?? 0) - value)).toBeLessThan(12);
  }
});

test('what a transparent MP4 is, the page says before it is made', async () => {
  const { page } = await visit('/remove-bg');
  await chooseFiles(page, [clip]);
  await page.getByRole('radio', { name: 'MP4' }).check();
  await page.getByText('it becomes twice as high').waitFor();
  await start(page).click();
  await player(page, 'clip.mp4, result').waitFor(RUN);
  expect((await taken(page)).size).toEqual([width, height * 2]);
});

test('pictures beside a video are cut out at once, and each has the settings and the file of its kind', async () => {
  const visited = await visit('/remove-bg');
  const { page } = visited;
  await chooseFiles(page, [clip, await ballPicture()]);
  await page.getByRole('button', { name: 'Download the result of ball.jpg' }).waitFor(RUN);
  expect(await page.getByRole('radio', { name: 'WebP', exact: true }).count()).toBe(0);
  await start(page).click();
  await page.getByRole('button', { name: 'Show ball.jpg' }).click();
  await page.getByRole('radio', { name: 'WebP', exact: true }).check();
  const take = page.getByRole('button', { name: 'Download all 2 as zip' });
  await take.waitFor(RUN);
  const [, zip] = await downloadBy(page, () => take.click());
  expect(zipNames(zip)).toEqual(['clip.webm', 'ball.webp']);
  expectQuietAndPrivate(visited);
});

test('a run that is cancelled leaves the video as it was', async () => {
  const { page } = await visit('/remove-bg');
  await chooseFiles(page, [clip]);
  await start(page).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await start(page).waitFor();
  await player(page, 'clip.mp4, original').waitFor();
});

test('a video that is dropped on the first page is offered what takes videos alone', async () => {
  const { page } = await visit('/');
  await chooseFiles(page, [clip]);
  await page.getByRole('heading', { name: '1 video. What shall happen?' }).waitFor();
  expect(await page.getByRole('button', { name: /^Convert/ }).count()).toBe(0);
  await page.getByRole('button', { name: /^Cut out/ }).click();
  await start(page).waitFor();
});

test('a browser that cannot write video says so, and offers the server with its price', async () => {
  const { page } = await visit('/remove-bg', { baseURL: withoutEncoder });
  await chooseFiles(page, [clip]);
  await start(page).click();
  const reason = page.getByRole('main').getByRole('alert');
  await reason.waitFor(RUN);
  expect(await reason.textContent()).toMatch(/^This browser cannot encode VP9 .*run it on the server\.$/);
  await page.getByText('1 video may work on our server.').waitFor();
  await page.getByText('for $0.05').waitFor();
});

test.each(['dark', 'light'] as const)(
  'a video and its result have no fault that axe finds in the %s theme',
  async (colorScheme) => {
    const visited = await visit('/remove-bg', { colorScheme });
    await chooseFiles(visited.page, [clip]);
    await player(visited.page, 'clip.mp4, original').waitFor();
    expect(await faultsOf(visited.page)).toEqual([]);
    await start(visited.page).click();
    await player(visited.page, 'clip.mp4, result').waitFor(RUN);
    expect(await faultsOf(visited.page)).toEqual([]);
  },
);
