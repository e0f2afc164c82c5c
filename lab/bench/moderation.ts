import { cpus } from 'node:os';
import { writeWavHeader } from '../../models/media/audio/write-audio.ts';
import { serveFiles } from '../support/file-server.ts';
import { type Service, startService } from '../support/service.ts';
import { median, ms, percentile, report, timeMs } from './measure.ts';
import { photoJpeg } from './pictures.ts';
import { waitForJobs } from './wait-for-jobs.ts';

const ROUNDS = 60;
const WARM_UP_ROUNDS = 5;
const SEPARATIONS = 8;
/** A runner has half as many slots for long jobs. */
const RUNNER_CONCURRENCY = 2 * SEPARATIONS;
const METRICS_TOKEN = 'bench-of-moderation';
const SONG = { sampleRate: 44_100, seconds: 600 };
const MS_MAX = { alone: 300, underLoad: 1000 };

/**
 * Measures how long a verdict takes, from the request to the response: on an idle service, and while eight separations
 * of stems run on it. No response comes from the cache.
 */
export async function benchModeration(): Promise<void> {
  const song = noiseWav();
  const songPaths = Array.from({ length: SEPARATIONS }, (_, index) => `/song-${index}.wav`);
  const files = await serveFiles({
    '/photo.jpg': await photoJpeg(1152, 896),
    ...Object.fromEntries(songPaths.map((path) => [path, song])),
  });
  const service = await startService({
    LOG_LEVEL: 'warn',
    MODELS_OFFLINE: '1',
    METRICS_TOKEN,
    RATE_LIMIT_PER_SECOND: '100000',
    RUNNER_CONCURRENCY: String(RUNNER_CONCURRENCY),
  });
  try {
    const account = await service.account('bench@example.com', '1000');
    const post = poster(service, account.api_key);
    const judge = async () => {
      const image_url = `${files.url}/photo.jpg`;
      await post('/api/content-safety/v1/image-moderation', 200, { image_url, categories: ['Sexual'] });
    };
    printFigures('verdict, alone', await measure(judge), MS_MAX.alone);
    for (const path of songPaths) {
      await post('/api/audio-tools/v1/separate-stems', 202, { audio_url: files.url + path });
    }
    const running = { PROCESSING: SEPARATIONS };
    await waitForJobs(service, METRICS_TOKEN, 'audio-separate-stems', running);
    const underLoad = await measure(judge);
    await waitForJobs(service, METRICS_TOKEN, 'audio-separate-stems', running);
    printFigures(
      `verdict, with ${SEPARATIONS} separations on ${cpus().length} cores`,
      underLoad,
      MS_MAX.underLoad,
    );
  } finally {
    await service.stop();
    await files.close();
  }
}

async function measure(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const tookMs = await timeMs(work);
    if (round >= 0) times.push(tookMs);
  }
  return times;
}

function printFigures(name: string, times: readonly number[], msMax: number): void {
  report(name, {
    p50: `${ms(median(times))} (at most ${msMax} ms)`,
    p95: ms(percentile(times, 0.95)),
    slowest: ms(Math.max(...times)),
  });
}

type Post = (path: string, status: number, body: object) => Promise<void>;

/** Returns a function that makes a request past the cache, and throws when it has another status than expected. */
function poster({ url }: Service, apiKey: string): Post {
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-cache',
    'ocp-apim-subscription-key': apiKey,
  };
  return async (path, status, body) => {
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (response.status !== status)
      throw new Error(`${path}: expected ${status}, got ${response.status}: ${text}`);
  };
}

/** Makes a mono WAV of noise: how long its separation takes does not depend on what is heard. */
function noiseWav(): Buffer {
  const { sampleRate, seconds } = SONG;
  const samples = new Int16Array(sampleRate * seconds);
  let state = 1;
  for (let frame = 0; frame < samples.length; frame++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    samples[frame] = (state >>> 18) - 8192;
  }
  const head = writeWavHeader({ sampleRate, channelCount: 1 }, samples.byteLength);
  return Buffer.concat([head, new Uint8Array(samples.buffer)]);
}
