import { cpus } from 'node:os';
import sharp from 'sharp';
import type { VideoFrame } from '../../models/core/runtime/video-codec.ts';
import { laneSlots } from '../../server/jobs/runner/lanes.ts';
import { createVideoCodec } from '../../server/runtime/media/video-codec.ts';
import { serveFiles } from '../support/file-server.ts';
import { type ApiClient, createApiClient, type Service, startService } from '../support/service.ts';
import { median, ms, ratio, report, timeMs } from './measure.ts';
import { photoJpeg } from './pictures.ts';
import { waitForJobs } from './wait-for-jobs.ts';

const ROUNDS = 15;
const WARM_UP_ROUNDS = 3;
const RUNNER_CONCURRENCY = cpus().length + 1;
const METRICS_TOKEN = 'bench-of-the-lanes';
const POLL_MS = 5;
/** Longer than the bench: the bundled model takes many minutes for a minute of video. */
const VIDEO = { width: 640, height: 360, frameRate: 25, seconds: 60 };
const RATIO_MAX = 1.5;

type Work = (api: ApiClient) => Promise<unknown>;

/**
 * Measures how long work affects small images: their response time while every long slot is busy with a video and
 * more videos wait, compared with the same with an idle runner. Through the whole service.
 */
export async function benchLanes(): Promise<void> {
  const files = await serveFiles({
    '/one.jpg': await photoJpeg(1152, 896),
    '/small.jpg': await subjectJpeg(),
    '/long.mp4': await longVideo(),
  });
  const service = await startService({
    LOG_LEVEL: 'warn',
    MODELS_OFFLINE: '1',
    METRICS_TOKEN,
    RUNNER_CONCURRENCY: String(RUNNER_CONCURRENCY),
    RATE_LIMIT_PER_SECOND: '100000',
  });
  const leaving = new AbortController();
  try {
    const account = await service.account('bench@example.com', '100');
    const api = createApiClient(service.url, account.api_key);
    const works: Record<string, Work> = {
      'convert 1 MP JPEG -> WebP': () => convert(api, `${files.url}/one.jpg`),
      'remove-bg of a 0.2 MP JPEG': () =>
        removeBg(service, account.api_key, { image_url: `${files.url}/small.jpg` }),
    };
    const idle = await measure(api, works);
    const video = { video_url: `${files.url}/long.mp4` };
    const slots = laneSlots({ RUNNER_CONCURRENCY }).long;
    for (let i = 0; i < 2 * slots; i++) {
      // No one waits for them here.
      void removeBg(service, account.api_key, video, leaving.signal).catch(() => {});
    }
    await waitForJobs(service, METRICS_TOKEN, 'remove-bg', { PROCESSING: slots, QUEUED: 1 });
    const busy = await measure(api, works);
    await waitForJobs(service, METRICS_TOKEN, 'remove-bg', { PROCESSING: slots, QUEUED: 1 });
    for (const name of Object.keys(works)) printFigures(name, idle[name] ?? [], busy[name] ?? [], slots);
  } finally {
    leaving.abort();
    await service.stop();
    await files.close();
  }
}

/** Measures times in ms by task, alternating between tasks. */
async function measure(api: ApiClient, works: Record<string, Work>): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = {};
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const [name, work] of Object.entries(works)) {
      const tookMs = await timeMs(() => work(api));
      if (round >= 0) times[name] = [...(times[name] ?? []), tookMs];
    }
  }
  return times;
}

function printFigures(name: string, idle: readonly number[], busy: readonly number[], slots: number): void {
  report(`${name}, with ${slots} videos`, {
    'p50 busy': ms(median(busy)),
    'p50 idle': ms(median(idle)),
    'slowest busy': ms(Math.max(...busy)),
    'slowest idle': ms(Math.max(...idle)),
    ratio: `${ratio(median(busy), median(idle))} (at most ${RATIO_MAX})`,
  });
}

async function convert(api: ApiClient, url: string): Promise<void> {
  const { status, body } = await api.convert({ image_url: url, to_format: 'webp' });
  if (status !== 202) throw new Error(`expected 202, got ${status}: ${JSON.stringify(body)}`);
  const job = await api.ended(body.request_id, { everyMs: POLL_MS });
  if (job.status !== 'COMPLETED') throw new Error(`the job ended as ${job.status}: ${job.error}`);
}

/** Makes a background removal with a direct response. */
async function removeBg(service: Service, apiKey: string, body: object, signal?: AbortSignal): Promise<void> {
  const response = await fetch(`${service.url}/api/v1/remove-bg`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'cache-control': 'no-cache',
    },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
  if (response.status !== 200)
    throw new Error(`expected 200, got ${response.status}: ${await response.text()}`);
  await response.json();
}

/** Draws a red disc on a photo, small enough for a page. */
async function subjectJpeg(): Promise<Buffer> {
  const disc = '<svg width="520" height="390"><circle cx="260" cy="200" r="120" fill="#e01020"/></svg>';
  return await sharp(await photoJpeg(520, 390))
    .composite([{ input: Buffer.from(disc) }])
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** Draws a red square that moves over grey. */
async function* frames(): AsyncGenerator<VideoFrame> {
  const { width, height, frameRate, seconds } = VIDEO;
  for (let index = 0; index < frameRate * seconds; index++) {
    const data = new Uint8Array(width * height * 4).fill(160);
    const left = index % (width - 120);
    for (let y = 120; y < 240; y++) {
      for (let x = left; x < left + 120; x++) data.set([220, 20, 30, 255], (y * width + x) * 4);
    }
    yield { width, height, data, timestampSeconds: index / frameRate, durationSeconds: 1 / frameRate };
  }
}

async function longVideo(): Promise<Buffer> {
  const { signal } = new AbortController();
  const options = {
    format: 'mp4',
    alpha: false,
    frameRate: VIDEO.frameRate,
    soundFrom: null,
    signal,
  } as const;
  const { blob } = await createVideoCodec().encode(frames(), options);
  return Buffer.from(await blob.arrayBuffer());
}
