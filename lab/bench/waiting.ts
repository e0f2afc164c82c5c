import { setTimeout as wait } from 'node:timers/promises';
import { serveFiles } from '../support/file-server.ts';
import {
  type ApiClient,
  createApiClient,
  readPostgresPid,
  type Service,
  startService,
} from '../support/service.ts';
import { cpuSecondsOfTree, median, ms, ratio, report, sum, timeMs } from './measure.ts';
import { photoJpeg } from './pictures.ts';

/** An account may read 16 streams of events. */
const ACCOUNTS = 10;
const STREAMS_EACH = 10;
const CLAIMS_EACH = 25;
const CLAIM_SECONDS = 25;
const ROUNDS = 30;
const IDLE_MS = 20_000;

/**
 * Measures what clients that wait cost others: 100 streams of events of jobs for which no machine comes, and 250 claims
 * of machines for which no job comes. Prints the times of requests and of conversions, and the processor time of the
 * idle service, with them and without.
 */
export async function benchWaiting(): Promise<void> {
  const files = await serveFiles({ '/one.jpg': await photoJpeg(256, 192) });
  const service = await startService({
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_BURST: '100000',
  });
  const leaving = new AbortController();
  try {
    const account = async (name: string): Promise<Waiter> => {
      const { api_key } = await service.account(`${name}@example.com`, '100');
      return { url: service.url, api_key };
    };
    const api = createApiClient(service.url, (await account('bench')).api_key);
    const imageUrl = `${files.url}/one.jpg`;
    await measure(api, imageUrl, service);
    const alone = await measure(api, imageUrl, service);
    const held: Promise<void>[] = [];
    for (let index = 0; index < ACCOUNTS; index++) {
      held.push(...(await openStreams(await account(`streams-${index}`), imageUrl, leaving.signal)));
      const machine = await account(`claims-${index}`);
      for (let claim = 0; claim < CLAIMS_EACH; claim++) {
        held.push(endOnAbort(claimOnAndOn(machine, leaving.signal), leaving.signal));
      }
    }
    const withWaiting = await measure(api, imageUrl, service);
    leaving.abort();
    await Promise.all(held);
    for (const [name, figure] of Object.entries(withWaiting)) {
      const before = alone[name] ?? 0;
      report(`${name}, with 100 streams and 250 claims`, {
        waiting: ms(figure),
        alone: ms(before),
        ratio: ratio(figure, before),
      });
    }
  } finally {
    leaving.abort();
    await service.stop();
    await files.close();
  }
}

/** Account whose clients wait. */
interface Waiter {
  readonly url: string;
  readonly api_key: string;
}

async function measure(api: ApiClient, imageUrl: string, service: Service): Promise<Record<string, number>> {
  const request_id = await convert(api, imageUrl);
  const status: number[] = [];
  const conversion: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    status.push(await timeMs(() => api.get(`/api/v2/requests/status/${request_id}`)));
    conversion.push(await timeMs(() => convert(api, imageUrl)));
  }
  const before = await readCpuSeconds(service);
  await wait(IDLE_MS);
  const idle = ((await readCpuSeconds(service)) - before) / (IDLE_MS / 1000);
  return {
    'status of a job': median(status),
    'conversion of 0.05 MP': median(conversion),
    'processor time of a second': idle * 1000,
  };
}

async function readCpuSeconds(service: Service): Promise<number> {
  const pids = [service.process.pid ?? 0, await readPostgresPid(String(service.env.DATA_DIR))];
  return sum(await Promise.all(pids.map(cpuSecondsOfTree)));
}

/** @returns its request_id, once it has ended */
async function convert(api: ApiClient, imageUrl: string): Promise<string> {
  const id = await submit(api, { image_url: imageUrl, to_format: 'webp' });
  await api.ended(id, { waitSeconds: 10 });
  return id;
}

async function submit(api: ApiClient, body: object): Promise<string> {
  // A result from the cache would be no job.
  const accepted = await api.convert(body, { 'cache-control': 'no-cache' });
  if (accepted.status !== 202) throw new Error(`expected 202, got ${JSON.stringify(accepted)}`);
  return accepted.body.request_id;
}

/** Opens streams of events of a job that waits for a machine of its account, and reads them until they are aborted. */
async function openStreams(
  { url, api_key }: Waiter,
  imageUrl: string,
  signal: AbortSignal,
): Promise<Promise<void>[]> {
  const api = createApiClient(url, api_key);
  const id = await submit(api, { image_url: imageUrl, to_format: 'webp', run_on: 'own' });
  const open = async () => {
    const response = await fetch(`${url}/api/v2/requests/status/${id}/events`, {
      headers: { authorization: `Bearer ${api_key}` },
      signal,
    });
    if (response.status !== 200) throw new Error(`expected 200, got ${response.status}`);
    return response;
  };
  const responses = await Promise.all(Array.from({ length: STREAMS_EACH }, open));
  return responses.map((response) => endOnAbort(response.text(), signal));
}

/** Asks for jobs of an account that has none, again and again until it is aborted. */
async function claimOnAndOn({ url, api_key }: Waiter, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const response = await fetch(`${url}/api/v2/worker/claims`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ wait_seconds: CLAIM_SECONDS }),
      signal,
    });
    if (response.status !== 204) throw new Error(`expected 204, got ${response.status}`);
  }
}

async function endOnAbort(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
