import { cpus } from 'node:os';
import sharp from 'sharp';
import { type FileServer, serveFiles } from '../support/file-server.ts';
import { type ApiClient, createApiClient, type Polling, startService } from '../support/service.ts';
import { cpuSecondsOfTree, median, ms, ratio, report, timeMs } from './measure.ts';
import { decodeHeicBare, phonePhotoHeic, photoJpeg } from './pictures.ts';

const ROUNDS = 30;

const CLIENTS = 16;

const REQUESTS_EACH = 100;

const QUALITY = 92;

/** Polling of our clients: they ask once, and the service holds its response until the job has ended. */
const HELD: Polling = { waitSeconds: 10, everyMs: 5 };

/** Pause of a client that knows no `Prefer: wait`. Polling costs the server too: it starts when the job may be done. */
const POLL_MS = 5;

/** Benchmarks image conversion through the whole service compared with the bare codec in this warm process, alternating. */
export async function benchConvert(): Promise<void> {
  const jpeg = await photoJpeg(1152, 896);
  const heic = await phonePhotoHeic();
  const files = await serveFiles({ '/one.jpg': jpeg, '/photo.heic': heic });
  const service = await startService({
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_BURST: '100000',
  });
  try {
    const account = await service.account('bench@example.com', '100');
    const api = createApiClient(service.url, account.api_key);
    await oneByOne(api, files, jpeg);
    await measureAccepting(api, `${files.url}/one.jpg`);
    await measureStatus(api, `${files.url}/one.jpg`);
    await sixteenClients(api, files, jpeg, service.process.pid ?? 0);
    await phonePhoto(api, files, heic);
  } finally {
    await service.stop();
    await files.close();
  }
}

const bareWebp = (jpeg: Uint8Array) => sharp(jpeg).rotate().webp({ quality: QUALITY }).toBuffer();

/**
 * Converts through the service.
 * @returns ms from sending the POST to the job's own `completed_at`, by one clock
 */
async function throughService(
  api: ApiClient,
  url: string,
  to: string,
  polling: Polling = HELD,
): Promise<number> {
  const sentAtMs = Date.now();
  const { status, body } = await api.convert({ image_url: url, to_format: to, quality: QUALITY });
  if (status !== 202) throw new Error(`expected 202, got ${status}: ${JSON.stringify(body)}`);
  const job = await api.ended(body.request_id, polling);
  if (job.status !== 'COMPLETED') throw new Error(`the job ended as ${job.status}: ${job.error}`);
  return Date.parse(job.completed_at) - sentAtMs;
}

async function oneByOne(api: ApiClient, files: FileServer, jpeg: Uint8Array): Promise<void> {
  const url = `${files.url}/one.jpg`;
  for (let i = 0; i < 5; i++) await Promise.all([bareWebp(jpeg), throughService(api, url, 'webp')]);
  const bare: number[] = [];
  const whole: number[] = [];
  const stamped: number[] = [];
  const polled: number[] = [];
  for (let i = 0; i < 30; i++) {
    const bareMs = await timeMs(() => bareWebp(jpeg));
    bare.push(bareMs);
    const seenMs = await timeMs(async () => {
      stamped.push(await throughService(api, url, 'webp'));
    });
    whole.push(seenMs);
    const polling = { afterMs: bareMs, everyMs: POLL_MS };
    polled.push(await timeMs(() => throughService(api, url, 'webp', polling)));
  }
  const [a, b] = [median(whole), median(bare)];
  report('convert 1 MP JPEG -> WebP, POST to COMPLETED', {
    'p50 as our clients see it': ms(a),
    'by short polls from the time of sharp on': `${ms(median(polled))}, ${ratio(median(polled), b)} times sharp`,
    'by completed_at': ms(median(stamped)),
    'bare sharp': ms(b),
    'added by completed_at': ms(median(stamped) - b),
    added: ms(a - b),
    ratio: `${ratio(a, b)} (at most 1.15)`,
  });
}

async function sixteenClients(
  api: ApiClient,
  files: FileServer,
  jpeg: Uint8Array,
  pid: number,
): Promise<void> {
  const clients = 16;
  const each = 8;
  const cores = cpus().length;
  const cpuBefore = await cpuSecondsOfTree(pid);
  const wholeMs = await timeMs(() =>
    Promise.all(
      Array.from({ length: clients }, async () => {
        for (let i = 0; i < each; i++) await throughService(api, `${files.url}/one.jpg`, 'webp');
      }),
    ),
  );
  const cpuSeconds = (await cpuSecondsOfTree(pid)) - cpuBefore;
  const bareMs = await timeMs(async () => {
    const lanes = Array.from({ length: cores }, async () => {
      for (let i = 0; i < (clients * each) / cores; i++) await bareWebp(jpeg);
    });
    await Promise.all(lanes);
  });
  report('convert, 16 clients at once', {
    'a second': ((clients * each * 1000) / wholeMs).toFixed(1),
    'bare sharp on all cores': ((clients * each * 1000) / bareMs).toFixed(1),
    'cores busy': `${((cpuSeconds * 1000) / wholeMs).toFixed(2)} of ${cores}`,
    'of the bare throughput': `${ratio(bareMs, wholeMs)} (at least 0.85)`,
  });
}

async function phonePhoto(api: ApiClient, files: FileServer, heic: Uint8Array): Promise<void> {
  const bareJpeg = async () => {
    const { data, width, height } = await decodeHeicBare(heic);
    await sharp(data, { raw: { width, height, channels: 4 } })
      .jpeg({ quality: QUALITY })
      .toBuffer();
  };
  await bareJpeg();
  await throughService(api, `${files.url}/photo.heic`, 'jpg');
  const bare: number[] = [];
  const whole: number[] = [];
  for (let i = 0; i < 5; i++) {
    bare.push(await timeMs(bareJpeg));
    whole.push(await timeMs(() => throughService(api, `${files.url}/photo.heic`, 'jpg')));
  }
  const [a, b] = [median(whole), median(bare)];
  report('convert 12 MP HEIC -> JPEG', {
    p50: ms(a),
    'libheif + sharp': ms(b),
    ratio: `${ratio(a, b)} (at most 1.3)`,
  });
}

/** Measures how long a request takes until it is accepted, compared with fetching its file alone. */
async function measureAccepting(api: ApiClient, url: string): Promise<void> {
  const accepted: number[] = [];
  const fetched: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    fetched.push(await timeMs(async () => (await fetch(url)).arrayBuffer()));
    let id = '';
    accepted.push(await timeMs(async () => (id = await submit(api, url))));
    await api.ended(id, { everyMs: 20 });
  }
  const [a, b] = [median(accepted), median(fetched)];
  report('accepting a conversion', {
    p50: ms(a),
    'fetch alone': ms(b),
    beyond: `${ms(a - b)} (at most 12 ms)`,
  });
}

/** Measures requests for the status of a completed job: one after the other, and of many clients at once. */
async function measureStatus(api: ApiClient, url: string): Promise<void> {
  const id = await submit(api, url);
  await api.ended(id, { everyMs: 20 });
  const ask = async () => {
    const { status } = await api.get(`/api/v2/requests/status/${id}`);
    if (status !== 200) throw new Error(`expected 200, got ${status}`);
  };
  const alone: number[] = [];
  for (let round = 0; round < ROUNDS * 5; round++) alone.push(await timeMs(ask));
  const togetherMs = await timeMs(() =>
    Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let count = 0; count < REQUESTS_EACH; count++) await ask();
      }),
    ),
  );
  report('status of a job', {
    p50: `${ms(median(alone))} (at most 4 ms)`,
    [`a second with ${CLIENTS} clients`]: `${((CLIENTS * REQUESTS_EACH * 1000) / togetherMs).toFixed(0)} (at least 500)`,
  });
}

async function submit(api: ApiClient, url: string): Promise<string> {
  const { status, body } = await api.convert({ image_url: url, to_format: 'webp', quality: 92 });
  if (status !== 202) throw new Error(`expected 202, got ${status}: ${JSON.stringify(body)}`);
  return body.request_id;
}
