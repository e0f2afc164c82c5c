import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants } from 'node:fs/promises';
import { cpus } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { serveFiles } from '../support/file-server.ts';
import { createApiClient, findFreePort, startService, stopPart } from '../support/service.ts';
import { median, ms, ratio, report, timeMs } from './measure.ts';
import { photoJpeg } from './pictures.ts';

const QUALITY = 92;
const ROUNDS = 30;
const CLIENTS = 16;
const REQUESTS_EACH = 8;
const START_MS_MAX = 20_000;

/** Service that converts a file at a URL to WebP, and resolves once the result is there. */
type Convert = (url: string) => Promise<void>;

/**
 * Measures the conversion of a photograph of 1 megapixel compared with imgproxy, a server that converts within the request,
 * without jobs, prices or storage. Without its binary the suite says so and ends: put `imgproxy` into PATH, or name it
 * in IMGPROXY.
 */
export async function benchPeers(): Promise<void> {
  const binary = await findBinary();
  if (binary === undefined) {
    console.log('peers: skipped, since imgproxy is neither in PATH nor named in IMGPROXY');
    return;
  }
  const jpeg = await photoJpeg(1152, 896);
  const files = await serveFiles({ '/one.jpg': jpeg });
  const url = `${files.url}/one.jpg`;
  try {
    const bare = () => sharp(jpeg).rotate().webp({ quality: QUALITY }).toBuffer();
    const bareMs = await medianMs(bare);
    const bareRate = await ratePerSecond(bare, cpus().length);
    report('bare sharp', { p50: ms(bareMs), 'a second': bareRate.toFixed(1) });
    const measure = async (name: string, convert: Convert) => {
      const p50 = await medianMs(() => convert(url));
      const rate = await ratePerSecond(() => convert(url), CLIENTS);
      report(name, {
        p50: ms(p50),
        'to sharp': ratio(p50, bareMs),
        [`a second with ${CLIENTS} clients`]: rate.toFixed(1),
        'of sharp': ratio(rate, bareRate),
      });
    };
    await withImgproxy(binary, (convert) => measure('imgproxy', convert));
    await withDarkroom((convert) => measure('Darkroom', convert));
  } finally {
    await files.close();
  }
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  for (let round = 0; round < 5; round++) await work();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timeMs(work));
  return median(times);
}

/** Does work on several lanes at once. @returns how often a second */
async function ratePerSecond(work: () => Promise<unknown>, lanes: number): Promise<number> {
  const each = Math.ceil((CLIENTS * REQUESTS_EACH) / lanes);
  const wholeMs = await timeMs(() =>
    Promise.all(
      Array.from({ length: lanes }, async () => {
        for (let count = 0; count < each; count++) await work();
      }),
    ),
  );
  return (lanes * each * 1000) / wholeMs;
}

async function findBinary(): Promise<string | undefined> {
  const named = process.env.IMGPROXY;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const paths = named ? [named] : folders.map((folder) => join(folder, 'imgproxy'));
  for (const path of paths) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

async function withImgproxy(binary: string, use: (convert: Convert) => Promise<void>): Promise<void> {
  const port = await findFreePort();
  const env = {
    ...process.env,
    IMGPROXY_BIND: `127.0.0.1:${port}`,
    IMGPROXY_ALLOW_LOOPBACK_SOURCE_ADDRESSES: 'true',
    IMGPROXY_QUALITY: String(QUALITY),
    IMGPROXY_LOG_LEVEL: 'error',
  };
  const child = spawn(binary, [], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    await waitForAnswer(`http://127.0.0.1:${port}/health`, ended);
    await use(async (url) => {
      const response = await fetch(`http://127.0.0.1:${port}/insecure/plain/${url}@webp`);
      if (response.status !== 200) throw new Error(`imgproxy responded ${response.status}`);
      await response.arrayBuffer();
    });
  } finally {
    await stopPart(child);
  }
}

async function waitForAnswer(url: string, ended: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  for (const endMs = Date.now() + START_MS_MAX; Date.now() < endMs && !hasEnded; await wait(50)) {
    if ((await fetch(url).catch(() => null))?.ok) return;
  }
  throw new Error('imgproxy did not start');
}

async function withDarkroom(use: (convert: Convert) => Promise<void>): Promise<void> {
  const limits = { RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000' };
  const service = await startService({ LOG_LEVEL: 'warn', ...limits });
  try {
    const { api_key } = await service.account('bench@example.com', '100');
    const api = createApiClient(service.url, api_key);
    await use(async (url) => {
      const { status, body } = await api.convert({ image_url: url, to_format: 'webp', quality: QUALITY });
      if (status !== 202) throw new Error(`expected 202, got ${status}: ${JSON.stringify(body)}`);
      const job = await api.ended(body.request_id, { everyMs: 20 });
      if (job.status !== 'COMPLETED') throw new Error(`the job ended as ${job.status}: ${job.error}`);
      await (await fetch(job.output.media_url[0])).arrayBuffer();
    });
  } finally {
    await service.stop();
  }
}
