import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright';
import { STUDIO_PATHS } from '../../app/studio/tools/tools.ts';
import { buildWhenNeeded } from '../../server/ops/build/build.ts';
import { launchChromium } from '../support/chromium.ts';
import { servePages } from '../support/serve-pages.ts';
import { benchFirstVisit } from './first-visit.ts';
import { median, ratio, report } from './measure.ts';
import { computePageScore } from './page-score.ts';
import { photoJpeg } from './pictures.ts';

/** Phone, processor and network of Lighthouse's mobile audit, with its throttling by DevTools. */
const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
};
const CPU_SLOWDOWN = 4;
const NETWORK = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1474.56 * 1024) / 8,
  uploadThroughput: (675 * 1024) / 8,
};
const SCORE_MIN = 95;
const ROUNDS = 3;
/** Pages that people come to first: the home page, and a tool by a link. */
const FIRST_VISITS = ['/', '/remove-bg', '/convert'];
const FRAMES_FOR_MS = 2_000;

/** Sizes as sent, in kB; times that Lighthouse rates as good. */
const BUDGET = {
  script: 230,
  style: 40,
  font: 120,
  image: 250,
  all: 1500,
  requests: 60,
  fcpMs: 1800,
  lcpMs: 2500,
  cls: 0.1,
  tbtMs: 200,
};
type Figures = Record<keyof typeof BUDGET, number>;

/**
 * Measures each page's cost before a file is chosen, the bytes of a first visit with all that is cached after it, and
 * its smoothness while its workers run.
 */
export async function benchPages(): Promise<void> {
  await buildWhenNeeded(resolve(import.meta.dirname, '../..'));
  const pages = await servePages();
  const browser = await launchChromium();
  try {
    for (const path of STUDIO_PATHS) {
      const rounds: Figures[] = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push(await firstVisit(browser, pages.url + path));
      const names = Object.keys(BUDGET) as (keyof Figures)[];
      const score = median(rounds.map(computePageScore));
      report(`page ${path}, slow phone`, {
        score: `${score.toFixed(0)}${score < SCORE_MIN ? ` UNDER ${SCORE_MIN}` : ''}`,
        ...Object.fromEntries(names.map((name) => [name, judged(name, rounds)])),
      });
    }
    for (const path of FIRST_VISITS) await benchFirstVisit(pages.url, path);
    await benchFrames(browser, `${pages.url}/convert`);
  } finally {
    await browser.close();
    await pages.stop();
  }
}

function judged(name: keyof Figures, rounds: readonly Figures[]): string {
  const value = median(rounds.map((figures) => figures[name]));
  const shown = name === 'cls' ? value.toFixed(3) : value.toFixed(0);
  return `${shown}${value > BUDGET[name] ? ` OVER ${BUDGET[name]}` : ` of ${BUDGET[name]}`}`;
}

/** Measures a first visit to a page, without any cache. */
async function firstVisit(browser: Browser, url: string): Promise<Figures> {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    const sent = await countBytes(page);
    await page.addInitScript(WATCH_PAGE);
    await page.goto(url, { waitUntil: 'networkidle' });
    const seen = await page.evaluate<Seen>('seen');
    const kilobytes = (type: string) => (sent.bytes.get(type) ?? 0) / 1000;
    return {
      script: kilobytes('Script'),
      style: kilobytes('Stylesheet'),
      font: kilobytes('Font'),
      image: kilobytes('Image'),
      all: [...sent.bytes.keys()].reduce((sum, type) => sum + kilobytes(type), 0),
      requests: sent.requests(),
      ...seen,
    };
  } finally {
    await context.close();
  }
}

/** Counts the bytes on the wire, by Chromium's own resource types, and slows processor and network down. */
async function countBytes(page: Page): Promise<{ bytes: ReadonlyMap<string, number>; requests(): number }> {
  const devtools = await page.context().newCDPSession(page);
  const types = new Map<string, string>();
  const bytes = new Map<string, number>();
  devtools.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type));
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId) ?? 'Other';
    bytes.set(type, (bytes.get(type) ?? 0) + encodedDataLength);
  });
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return { bytes, requests: () => types.size };
}

type Seen = Pick<Figures, 'fcpMs' | 'lcpMs' | 'cls' | 'tbtMs'>;

/** Runs in the page before everything else: records the browser's own performance entries. */
const WATCH_PAGE = `
  const seen = { fcpMs: 0, lcpMs: 0, cls: 0, tbtMs: 0 };
  globalThis.seen = seen;
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') seen.fcpMs = startTime;
  });
  watch('largest-contentful-paint', ({ startTime }) => { seen.lcpMs = startTime; });
  watch('layout-shift', ({ value }) => { seen.cls += value; });
  watch('longtask', ({ duration }) => { seen.tbtMs += duration - 50; });
`;

/** Measures frames per second with every worker busy, compared with those at rest. */
async function benchFrames(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage({ serviceWorkers: 'block' });
  await page.goto(url, { waitUntil: 'networkidle' });
  const photo = Buffer.from(await photoJpeg(4000, 3000));
  const files = Array.from({ length: 6 }, (_, index) => {
    return { name: `${index}.jpg`, mimeType: 'image/jpeg', buffer: photo };
  });
  await page.getByRole('radio', { name: 'AVIF' }).check();
  await page.locator('input[type=file]').first().setInputFiles(files);
  const start = page.getByRole('button', { name: 'Convert 6 images' });
  await start.waitFor();
  const atRest = await framesPerSecond(page);
  await start.click();
  await page.getByRole('progressbar').first().waitFor();
  const atWork = await framesPerSecond(page);
  const stillBusy = await page.getByRole('progressbar').count();
  await page.close();
  if (stillBusy === 0)
    throw new Error('The work ended before the frames were counted: take larger pictures.');
  report('frames per second while workers convert', {
    'at work': atWork.toFixed(0),
    'at rest': atRest.toFixed(0),
    ratio: ratio(atWork, atRest),
  });
}

function framesPerSecond(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((done) => {
    let frames = 0;
    const startedAtMs = performance.now();
    const next = () => {
      frames += 1;
      const elapsedMs = performance.now() - startedAtMs;
      if (elapsedMs < ${FRAMES_FOR_MS}) requestAnimationFrame(next);
      else done((1000 * frames) / elapsedMs);
    };
    requestAnimationFrame(next);
  })`);
}
