// @module-tag long

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { prependStatement, serveAlteredPages } from '../support/altered-pages.ts';
import { createBallPicture } from '../support/cutouts.ts';
import { delayCodecs } from '../support/delay-codecs.ts';
import { servePagesWithDevice } from '../support/fake-device.ts';
import { chooseClip, createClip, player, removeBackground, start } from '../support/video-cutouts.ts';
import {
  chooseFiles,
  connectBrowser,
  downloadOnClick,
  expectCloseWarning,
  expectNoLogsOrUploads,
  type TestFile,
} from '../support/visit.ts';
import { listZipEntries } from '../support/zip.ts';

const visit = connectBrowser();

const STUCK = `if (globalThis.VideoEncoder && !VideoEncoder.checkConfig) {
  VideoEncoder.checkConfig = VideoEncoder.isConfigSupported;
  VideoEncoder.isConfigSupported = (config) =>
    config.codec.startsWith('avc') ? new Promise(() => {}) : VideoEncoder.checkConfig(config);
}`;

let clip: TestFile;
let withoutEncoder: string;
/** Encoder of MP4 that never responds. */
let withStuckEncoder: string;
beforeAll(async () => {
  clip = await createClip();
  withoutEncoder = await serveAlteredPages((served) =>
    prependStatement(served, 'delete globalThis.VideoEncoder'),
  );
  withStuckEncoder = await serveAlteredPages((served) => prependStatement(served, STUCK));
});

test('a video without a clear subject gets a message and the offer of a larger model, but no brush', async () => {
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

test('images next to a video are cut out at once, and each has the settings and format of its media type', async () => {
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

test('a cancelled run leaves the video unchanged', async () => {
  const { page } = await visit('/remove-bg');
  await chooseFiles(page, [clip]);
  await delayCodecs(page);
  await start(page).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await start(page).waitFor();
  await player(page, 'clip.mp4, original').waitFor();
});

test('a video dropped on the home page is offered only tools for videos', async () => {
  const { page } = await visit('/');
  await chooseFiles(page, [clip]);
  await page.getByRole('heading', { name: '1 video. What would you like to do?' }).waitFor();
  expect(await page.getByRole('button', { name: /^Convert/ }).count()).toBe(0);
  await page.getByRole('button', { name: /^Remove background/ }).click();
  await start(page).waitFor();
});

test('a browser that cannot encode video gives the reason, and offers the server with its price', async () => {
  const { page } = await visit('/remove-bg', { baseURL: withoutEncoder });
  await chooseFiles(page, [clip]);
  await start(page).click();
  const reason = page.getByRole('main').getByRole('alert');
  await reason.waitFor();
  expect(await reason.textContent()).toMatch(/^This browser cannot encode VP9 .*run it on the server\.$/);
  await page.getByText('1 video may succeed on our server.').waitFor();
  await page.getByRole('link', { name: 'Sign up to run it for $0.05' }).waitFor();
});

describe('a file whose encoder never responds', () => {
  const shared = visit.share(async () => {
    const visited = await chooseClip(visit, { baseURL: withStuckEncoder });
    await removeBackground(visited.page);
    return visited;
  });

  test('writing a file asks before the tab closes, and downloads nothing when cancelled', async () => {
    const { page } = await shared();
    await page.getByRole('radio', { name: 'MP4' }).check();
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByRole('button', { name: 'Preparing file…' }).waitFor();
    await expectCloseWarning(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('radio', { name: 'WebM' }).check();
    const [name] = await downloadOnClick(page, () =>
      page.getByRole('button', { name: 'Download', exact: true }).click(),
    );
    expect(name).toBe('clip-cutout.webm');
  });

  test('a file that is being written is shown to a visitor who comes back to its page, and can be cancelled there', async () => {
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
