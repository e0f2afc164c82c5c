// Takes film strips of each tool, from the drop of its sample to the result, on a wide window and on a phone: what a
// new visitor sees while waiting. Run with `npx tsx lab/assets/film-strips.ts FOLDER [SLUG...]` after a build; the
// strips are looked at, and not committed.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import type { Tool } from '../../app/studio/tools/tool.ts';
import { TOOL_LIST } from '../../app/studio/tools/tools.ts';
import { launchChromium } from '../support/chromium.ts';
import { servePages } from '../support/serve-pages.ts';

const FRAME_MS = 500;
/** Frames of a strip: a run that takes longer is shown by its beginning. */
const FRAMES_MAX = 60;
/** Frames after the result has come. */
const FRAMES_AFTER = 2;
const COLUMNS = 6;

const WINDOWS = [
  { name: 'wide', size: { width: 1440, height: 900 }, frameWidth: 480 },
  { name: 'phone', size: { width: 390, height: 844 }, frameWidth: 195 },
] as const;

const [folder = '/tmp/film-strips', ...slugs] = process.argv.slice(2);

await mkdir(folder, { recursive: true });
const [pages, browser] = await Promise.all([servePages(), launchChromium()]);
try {
  for (const tool of TOOL_LIST.filter(({ slug }) => slugs.length === 0 || slugs.includes(slug))) {
    for (const window of WINDOWS) {
      const frames = await film(browser, pages.url, tool, window.size);
      const path = join(folder, `${tool.slug}-${window.name}.png`);
      await writeStrip(frames, window.frameWidth, window.size, path);
      console.log(`${path}: ${frames.length} frames, one each ${FRAME_MS} ms`);
    }
  }
} finally {
  await browser.close();
  await pages.stop();
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Drops the sample of a tool, presses its button where it has one, and takes frames until the result is there. */
async function film(from: Browser, url: string, tool: Tool, viewport: Size): Promise<readonly Buffer[]> {
  const context = await from.newContext({ viewport, baseURL: url });
  try {
    const page = await context.newPage();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`/${tool.slug}`, { waitUntil: 'networkidle' });
    await page.locator('input[type=file]').first().setInputFiles(join('public', tool.sample.url));
    const frames: Buffer[] = [];
    let left = FRAMES_AFTER;
    let isStarted = false;
    while (frames.length < FRAMES_MAX && left > 0) {
      const dueMs = performance.now() + FRAME_MS;
      frames.push(await page.screenshot());
      if (!isStarted) isStarted = await start(page);
      if (await hasResult(page)) left -= 1;
      await page.waitForTimeout(Math.max(0, dueMs - performance.now()));
    }
    return frames;
  } finally {
    await context.close();
  }
}

/** Presses the button that starts the run. @returns whether there was one, or the run has begun by itself */
async function start(page: Page): Promise<boolean> {
  const button = page.getByRole('button', { name: / 1 (image|audio file|video)$/ }).first();
  if (await page.getByRole('button', { name: 'Cancel', exact: true }).isVisible()) return true;
  if (!(await button.isVisible())) return false;
  // A tool that starts by itself takes the button away.
  return await button.click({ timeout: FRAME_MS }).then(
    () => true,
    () => false,
  );
}

async function hasResult(page: Page): Promise<boolean> {
  return await page
    .getByRole('button', { name: /^Download\b/ })
    .first()
    .isVisible();
}

async function writeStrip(
  frames: readonly Buffer[],
  frameWidth: number,
  { width, height }: Size,
  path: string,
): Promise<void> {
  const frameHeight = Math.round((height * frameWidth) / width);
  const columns = Math.min(COLUMNS, frames.length);
  const placed = frames.map(async (frame, at) => ({
    input: await sharp(frame).resize(frameWidth, frameHeight).png().toBuffer(),
    left: (at % columns) * frameWidth,
    top: Math.floor(at / columns) * frameHeight,
  }));
  const rows = Math.ceil(frames.length / columns);
  const create = {
    width: columns * frameWidth,
    height: rows * frameHeight,
    channels: 3,
    background: '#808080',
  } as const;
  await sharp({ create })
    .composite(await Promise.all(placed))
    .png()
    .toFile(path);
}
