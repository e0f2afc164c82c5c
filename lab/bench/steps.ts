import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { serveFiles } from '../support/file-server.ts';
import { listProcessTree } from '../support/process-tree.ts';
import { readPostgresPid, type Service, startService } from '../support/service.ts';
import { collectTraces, durationMs, type TraceCollector } from '../support/trace-collector.ts';
import { cpuSecondsOfTree, getOwnCpuSeconds, median, ms, report, timeMs } from './measure.ts';
import { photoJpeg } from './pictures.ts';

const JOBS = 40;
const WARM_UP_JOBS = 8;
/** A process compiles its busiest functions for some hundred jobs, which is its start and no job's cost. */
const COST_WARM_UP_JOBS = 300;
const COST_JOBS = 200;
/** Spans leave a process every two seconds. */
const EXPORT_MS = 3_000;
const ROUTE = '/api/media-tools/v1/image-convert';

/**
 * Prints where the time of a job goes, from its request to its webhook: the median of each step by its span, what lies
 * between the spans, and the processor time of each part once the processes are warm, without traces. The jobs come one
 * after the other.
 */
export async function benchSteps(): Promise<void> {
  const jpeg = await photoJpeg(1152, 896);
  const files = await serveFiles({ '/one.jpg': jpeg });
  const receiver = await receiveWebhooks();
  const bench: Bench = { jpeg, imageUrl: `${files.url}/one.jpg`, receiver };
  try {
    await benchSpans(bench);
    await benchCost(bench);
  } finally {
    await Promise.all([files.close(), receiver.close()]);
  }
}

interface Bench {
  readonly jpeg: Uint8Array;
  readonly imageUrl: string;
  readonly receiver: WebhookReceiver;
}

async function benchSpans(bench: Bench): Promise<void> {
  const collector = await collectTraces();
  const exported = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
  try {
    await withConversions(bench, exported, async (convert) => {
      for (let job = 0; job < WARM_UP_JOBS; job++) await convert();
      const jobs: Job[] = [];
      const bareMs: number[] = [];
      for (let job = 0; job < JOBS; job++) {
        jobs.push(await convert());
        bareMs.push(await timeMs(() => encodeBare(bench.jpeg)));
      }
      await wait(EXPORT_MS);
      reportSteps(collector, jobs, bareMs);
    });
  } finally {
    await collector.close();
  }
}

async function benchCost(bench: Bench): Promise<void> {
  await withConversions(bench, {}, async (convert, service) => {
    for (let job = 0; job < COST_WARM_UP_JOBS; job++) await convert();
    const before = await readPartSeconds(service);
    for (let job = 0; job < COST_JOBS; job++) await convert();
    const after = await readPartSeconds(service);
    const bareStart = process.cpuUsage();
    for (let job = 0; job < COST_JOBS; job++) await encodeBare(bench.jpeg);
    const bare = process.cpuUsage(bareStart);
    report('processor time, bare sharp', { 'a job': ms((bare.user + bare.system) / 1000 / COST_JOBS) });
    for (const [part, seconds] of after) {
      const spent = ((seconds - (before.get(part) ?? 0)) * 1000) / COST_JOBS;
      report(`  processor time, ${part}`, { 'a job': ms(spent) });
    }
  });
}

function encodeBare(jpeg: Uint8Array): Promise<Buffer> {
  return sharp(jpeg).rotate().webp({ quality: 92 }).toBuffer();
}

async function withConversions(
  { imageUrl, receiver }: Bench,
  env: Record<string, string>,
  work: (convert: () => Promise<Job>, service: Service) => Promise<void>,
): Promise<void> {
  const service = await startService({
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_BURST: '100000',
    ...env,
  });
  try {
    const { api_key } = await service.account('bench@example.com', '100');
    await work(() => convertOnce(service, api_key, imageUrl, receiver), service);
  } finally {
    await service.stop();
  }
}

/** Conversion as its client sees it, in ms from the request. */
interface Job {
  readonly traceId: string;
  readonly acceptedMs: number;
  readonly webhookMs: number;
}

async function convertOnce(
  { url }: Service,
  apiKey: string,
  imageUrl: string,
  receiver: WebhookReceiver,
): Promise<Job> {
  const called = receiver.next();
  const startedAtMs = performance.now();
  const response = await fetch(url + ROUTE, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'ocp-apim-subscription-key': apiKey,
      'x-webhook-url': receiver.url,
    },
    body: JSON.stringify({ image_url: imageUrl, to_format: 'webp', quality: 92 }),
  });
  const text = await response.text();
  if (response.status !== 202) throw new Error(`expected 202, got ${response.status}: ${text}`);
  const acceptedMs = performance.now() - startedAtMs;
  await called;
  return {
    traceId: response.headers.get('x-request-id') ?? '',
    acceptedMs,
    webhookMs: performance.now() - startedAtMs,
  };
}

function reportSteps(collector: TraceCollector, jobs: readonly Job[], bareMs: readonly number[]): void {
  const traces = new Set(jobs.map(({ traceId }) => traceId));
  const times = new Map<string, number[]>();
  for (const span of collector.spans().filter(({ traceId }) => traces.has(traceId))) {
    times.set(span.name, [...(times.get(span.name) ?? []), durationMs(span)]);
  }
  report('a job, one at a time', {
    accepted: ms(median(jobs.map(({ acceptedMs }) => acceptedMs))),
    webhook: ms(median(jobs.map(({ webhookMs }) => webhookMs))),
    'bare sharp': ms(median(bareMs)),
  });
  for (const [name, each] of times)
    report(`  ${name}`, { p50: ms(median(each)), 'of jobs': String(each.length) });
}

interface WebhookReceiver {
  readonly url: string;
  /** Resolves with the next webhook. */
  next(): Promise<void>;
  close(): Promise<void>;
}

async function receiveWebhooks(): Promise<WebhookReceiver> {
  let received = (): void => {};
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.end('ok');
      received();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    next: () =>
      new Promise((resolve) => {
        received = resolve;
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the processor seconds so far by part: the processes of the service and their children, and the database. */
async function readPartSeconds(service: Service): Promise<Map<string, number>> {
  const pid = service.process.pid ?? 0;
  const seconds = new Map<string, number>();
  const direct = (await listProcessTree(pid)).filter(({ parent }) => parent === pid);
  for (const part of direct) {
    const words = (await readFile(`/proc/${part.pid}/cmdline`, 'utf8')).split('\0').filter(Boolean);
    const name = words.at(-1)?.split('/').at(-1) ?? '';
    const all = await cpuSecondsOfTree(part.pid);
    const own = getOwnCpuSeconds(part);
    seconds.set(name, own);
    seconds.set(`children of ${name}`, all - own);
  }
  const postgres = await readPostgresPid(String(service.env.DATA_DIR));
  seconds.set('postgres', await cpuSecondsOfTree(postgres));
  return seconds;
}
