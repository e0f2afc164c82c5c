import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pause } from '../../../models/core/concurrency.ts';
import { createTimeoutSignal } from '../../../server/base/signals.ts';
import { serveFiles } from '../../support/file-server.ts';
import {
  type ApiClient,
  createApiClient,
  findFreePort,
  type Service,
  startService,
} from '../../support/service.ts';
import { median, megabytes, ms, ratio, report, timeMs } from '../measure.ts';
import { photoJpeg } from '../pictures.ts';
import { ATTACKS, createEmptyTracks, type Target } from './attacks.ts';
import { PARTS, type ResourceUsage, readResourceUsage } from './read-holdings.ts';

const FIXTURES = resolve(import.meta.dirname, '../../../tests/fixtures');
const METRICS_TOKEN = 'bench-of-the-soak';
const DEFAULT_MINUTES = 10;
/** Every process has loaded its modules and every cache is warm after it. */
const WARM_UP_MINUTES = 1;
const IDLE_ROUNDS = 30;
const PAUSE_MS = 1000;
/** Slower than the rate limit of a key. */
const POLL_MS = 60;
/** Longer than any round of an attack. */
const ROUND_MS = 60_000;
const DRAIN_MS_MAX = 120_000;
/** Longer than an idle connection lives: the server closes it after 65 s. Code that ran once is collected, too. */
const SETTLE_MS = 90_000;
const LATENCY_RATIO_MAX = 2;

/**
 * Measures whether a service stays as it is under ten minutes of good and bad traffic at once: what it holds before
 * and after, and the latency of a well-behaved account compared with that of an idle service.
 * @param args minutes, by default 10
 */
export async function benchSoak(args: readonly string[]): Promise<void> {
  const minutes = Number(args[0] ?? DEFAULT_MINUTES);
  if (!(minutes > 0)) throw new Error(`minutes: give a number above 0, not ${args[0]}`);
  const files = await serveFiles({
    '/one.jpg': await photoJpeg(1152, 896),
    '/small.jpg': await photoJpeg(320, 240),
    '/large.jpg': await photoJpeg(3000, 2000),
    '/broken.png': (await readFile(`${FIXTURES}/images/deep.png`)).subarray(0, 64),
    '/tracks.mkv': createEmptyTracks(99_000),
    '/long.mp4': await readFile(`${FIXTURES}/videos/moving.mp4`),
  });
  const silent = await listenSilently();
  const nameServer = await listenSilentlyForNames();
  const service = await startService({
    LOG_LEVEL: 'error',
    MODELS_OFFLINE: '1',
    METRICS_TOKEN,
    FETCH_DNS_SERVERS: `127.0.0.1:${nameServer.address().port}`,
  });
  try {
    const [good, neighbour, attacker, penniless] = await Promise.all([
      service.account('good@example.com', '100'),
      service.account('neighbour@example.com', '100'),
      service.account('attacker@example.com', '100'),
      service.account('penniless@example.com', '0'),
    ]);
    const api = createApiClient(service.url, good.api_key);
    const target: Target = {
      url: service.url,
      apiKey: attacker.api_key,
      pennilessKey: penniless.api_key,
      files: files.url,
      silentUrl: silent.url,
    };
    const convertOne = () => convert(api, `${files.url}/one.jpg`);
    const traffic = (durationMinutes: number, work: (signal: AbortSignal) => Promise<void>) =>
      underTraffic(target, createApiClient(service.url, neighbour.api_key), durationMinutes, work);

    await traffic(WARM_UP_MINUTES, async () => {});
    await waitUntilDrained(service);
    const before = await holdSteady(service);
    const idle = await latencies(convertOne, IDLE_ROUNDS);
    const busy: number[] = [];
    await traffic(minutes, async (signal) => {
      while (!signal.aborted) {
        busy.push(await timeMs(convertOne));
        await pause(PAUSE_MS, signal).catch(() => {});
      }
    });
    await waitUntilDrained(service);
    printFigures(before, await holdSteady(service), idle, busy);
  } finally {
    await service.stop();
    silent.server.close();
    nameServer.close();
    await files.close();
  }
}

/** Does `work` while a neighbour works honestly and every attack is repeated, for some minutes. */
async function underTraffic(
  target: Target,
  neighbour: ApiClient,
  minutes: number,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const signal = AbortSignal.timeout(minutes * 60_000);
  const repeated = async (task: () => Promise<unknown>) => {
    while (!signal.aborted) {
      await task();
      await pause(PAUSE_MS, signal).catch(() => {});
    }
  };
  await Promise.all([
    work(signal),
    repeated(() => convert(neighbour, `${target.files}/one.jpg`).catch(() => {})),
    // Each round has its own signal: a request may keep its listener for as long as its signal lives.
    ...Object.values(ATTACKS).map((attack) =>
      repeated(() => attack(target, createTimeoutSignal(ROUND_MS, signal))),
    ),
  ]);
}

async function latencies(work: () => Promise<void>, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timeMs(work));
  return times;
}

async function convert(api: ApiClient, url: string): Promise<void> {
  const { status, body } = await api.convert({ image_url: url, to_format: 'webp' });
  if (status !== 202) throw new Error(`expected 202, got ${status}: ${JSON.stringify(body)}`);
  const job = await api.ended(body.request_id, { everyMs: POLL_MS });
  if (job.status !== 'COMPLETED') throw new Error(`the job ended as ${job.status}: ${job.error}`);
}

/** Waits until no job is queued or runs. */
async function waitUntilDrained(service: Service): Promise<void> {
  for (const endMs = Date.now() + DRAIN_MS_MAX; Date.now() < endMs; ) {
    if ((await waitingJobs(service)) === 0) return;
    await setTimeout(1000);
  }
}

async function holdSteady(service: Service): Promise<ResourceUsage> {
  await setTimeout(SETTLE_MS);
  const { pid } = service.process;
  const folder = service.env.DATA_DIR;
  if (pid === undefined || folder === undefined)
    throw new Error('the service has no process or no data folder');
  return readResourceUsage(pid, folder, await waitingJobs(service));
}

async function waitingJobs({ url }: Service): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${url}/api/metrics`, { headers })).text();
  const counts = text.matchAll(/^darkroom_jobs\{.*status="(?:QUEUED|PROCESSING)"\} (\d+)/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

function printFigures(
  before: ResourceUsage,
  after: ResourceUsage,
  idle: readonly number[],
  busy: readonly number[],
): void {
  const reportChange = (name: string, start: string, end: string) => report(name, { start, end });
  for (const part of PARTS) {
    const [start, end] = [before.parts[part], after.parts[part]];
    reportChange(`${part}, processes`, String(start.processes), String(end.processes));
    reportChange(`${part}, open descriptors`, String(start.descriptors), String(end.descriptors));
    reportChange(`${part}, memory (PSS)`, megabytes(start.memoryBytes), megabytes(end.memoryBytes));
  }
  for (const folder of new Set([...Object.keys(before.diskBytes), ...Object.keys(after.diskBytes)])) {
    const size = ({ diskBytes }: ResourceUsage) => megabytes(diskBytes[folder] ?? 0);
    reportChange(`disk, ${folder}`, size(before), size(after));
  }
  reportChange('jobs that wait', String(before.waitingJobs), String(after.waitingJobs));
  report('conversion of a well-behaved account', {
    'p50 busy': ms(median(busy)),
    'p50 idle': ms(median(idle)),
    'slowest busy': ms(Math.max(...busy)),
    'slowest idle': ms(Math.max(...idle)),
    rounds: String(busy.length),
    ratio: `${ratio(median(busy), median(idle))} (at most ${LATENCY_RATIO_MAX})`,
  });
}

/** Listens on loopback, accepts every connection and never responds. */
async function listenSilently(): Promise<{ url: string; server: Server }> {
  const port = await findFreePort();
  const server = createServer((socket) => socket.on('error', () => {}).resume()).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${port}`, server };
}

/** Listens on loopback as a name server that never responds. */
async function listenSilentlyForNames(): Promise<UdpSocket> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}
