import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type FileServer, serveFiles } from '../support/file-server.ts';
import { listProcessTree, readProportionalBytes } from '../support/process-tree.ts';
import { createApiClient, type Service, startService } from '../support/service.ts';
import { cpuSecondsOfTree, median, megabytes, ms, report, sum, timeMs } from './measure.ts';
import { photoJpeg } from './pictures.ts';
import { createEmptyTracks } from './soak/attacks.ts';
import { folderBytes } from './soak/read-holdings.ts';

const FIXTURES = resolve(import.meta.dirname, '../../tests/fixtures');
const SAMPLE_MS = 50;
const ROUNDS = 8;

/** Service under attack, keys of the accounts, and files on a host of the attacker's. */
interface Scene {
  readonly service: Service;
  readonly files: FileServer;
  readonly good: string;
  readonly attacker: string;
  readonly penniless: string;
}

/** Measures what single attacks that cost nothing take from the service, or from another account. Linux only. */
export async function benchAttacks(): Promise<void> {
  const files = await serveFiles({
    '/one.jpg': await photoJpeg(1152, 896),
    '/broken.png': (await readFile(`${FIXTURES}/images/deep.png`)).subarray(0, 64),
    '/tracks.mkv': createEmptyTracks(99_000),
    '/large.mp4': padded(await readFile(`${FIXTURES}/videos/moving.mp4`), 60_000_000),
  });
  const service = await startService({ LOG_LEVEL: 'error', MODELS_OFFLINE: '1' });
  try {
    const getKey = async (email: string, creditUsd: string) =>
      (await service.account(email, creditUsd)).api_key;
    const good = await getKey('good@example.com', '10');
    const attacker = await getKey('attacker@example.com', '10');
    const scene = { service, files, good, attacker, penniless: await getKey('penniless@example.com', '0') };
    await Promise.all(Array.from({ length: 4 }, () => convert(scene, good)));
    for (const attack of [largeInputs, openBodies, brokenImages, manyTracks, slowReceivers])
      await attack(scene);
  } finally {
    await service.stop();
    await files.close();
  }
}

async function largeInputs({ service, files, penniless }: Scene): Promise<void> {
  const folder = join(String(service.env.DATA_DIR));
  const stored = () => folderBytesBesidePostgres(folder);
  let statuses: number[] = [];
  const most = await mostWhile(stored, async () => {
    const body = { video_url: `${files.url}/large.mp4` };
    statuses = await Promise.all(Array.from({ length: 12 }, () => removeBg(service, penniless, body)));
  });
  report('12 videos of 60 MB without credit', { 'disk, most': megabytes(most), statuses: tally(statuses) });
}

async function openBodies({ service, attacker }: Scene): Promise<void> {
  const { hostname, port } = new URL(service.url);
  const statuses: number[] = [];
  const most = await mostWhile(
    () => getMemory(service),
    async () => {
      const sockets = Array.from({ length: 25 }, () => {
        const socket = connect({ host: hostname, port: Number(port) });
        socket.on('error', () => {});
        socket.once('data', (text) => statuses.push(Number(String(text).split(' ')[1])));
        socket.write(
          `POST /api/v1/remove-bg HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${attacker}\r\n` +
            'Content-Type: application/json\r\nContent-Length: 34000000\r\n\r\n{"image_b64":"',
        );
        socket.write(Buffer.alloc(33_000_000, 'A'));
        return socket;
      });
      await wait(10_000);
      for (const socket of sockets) socket.destroy();
    },
  );
  report('25 bodies of 34 MB that stay open', { 'memory, most': megabytes(most), statuses: tally(statuses) });
}

async function brokenImages(scene: Scene): Promise<void> {
  const { service, files, attacker } = scene;
  const api = createApiClient(service.url, attacker);
  const pid = service.process.pid ?? 0;
  const before = await cpuSecondsOfTree(pid);
  const ends = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { status, body } = await api.convert({ image_url: `${files.url}/broken.png`, to_format: 'webp' });
      return status === 202 ? (await api.ended(body.request_id, { everyMs: 500 })).status : String(status);
    }),
  );
  const seconds = (await cpuSecondsOfTree(pid)) - before;
  report('10 broken images of 64 bytes', { CPU: `${seconds.toFixed(1)} s`, ends: tally(ends) });
}

async function manyTracks(scene: Scene): Promise<void> {
  const { service, files, attacker, good } = scene;
  const idle = await times(() => convert(scene, good));
  const body = { video_url: `${files.url}/tracks.mkv` };
  const attack = Promise.all(Array.from({ length: 8 }, () => timed(() => removeBg(service, attacker, body))));
  const busy = await times(() => convert(scene, good));
  const responses = await attack;
  report('8 files of 99,000 tracks', {
    'conversion of another account': `${ms(median(busy))}, idle ${ms(median(idle))}`,
    'slowest response': ms(Math.max(...responses.map(({ tookMs }) => tookMs))),
    statuses: tally(responses.map(({ value }) => value)),
  });
}

async function slowReceivers(scene: Scene): Promise<void> {
  const { service, attacker, good } = scene;
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/hook`;
  const idleMs = await deliveryMs(scene, good);
  await Promise.all(
    Array.from({ length: 60 }, () =>
      fetch(`${service.url}/api/v1/remove-bg/batch`, {
        method: 'POST',
        headers: { ...getHeaders(attacker), 'x-webhook-url': silentUrl },
        body: JSON.stringify({ items: [{ image_b64: 'AAAA' }] }),
      }),
    ),
  );
  const busyMs = await deliveryMs(scene, good);
  silent.close();
  silent.closeAllConnections();
  report('60 free batches with a silent receiver', {
    'webhook of another account': `${ms(busyMs)}, idle ${ms(idleMs)}`,
  });
}

/** Converts with a webhook, and returns the time between the request and the delivery. */
async function deliveryMs(scene: Scene, apiKey: string): Promise<number> {
  let arrived = (): void => {};
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
    arrived();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const tookMs = await timeMs(async () => {
    const api = createApiClient(scene.service.url, apiKey);
    const body = { image_url: `${scene.files.url}/one.jpg`, to_format: 'webp' };
    const { status } = await api.convert(body, { 'x-webhook-url': url });
    if (status !== 202) throw new Error(`expected 202, got ${status}`);
    await arrival;
  });
  receiver.close();
  return tookMs;
}

async function convert({ service, files }: Scene, apiKey: string): Promise<void> {
  const api = createApiClient(service.url, apiKey);
  const { status, body } = await api.convert({ image_url: `${files.url}/one.jpg`, to_format: 'webp' });
  if (status !== 202) throw new Error(`expected 202, got ${status}: ${JSON.stringify(body)}`);
  await api.ended(body.request_id, { everyMs: 60 });
}

async function removeBg(service: Service, apiKey: string, body: object): Promise<number> {
  const response = await fetch(`${service.url}/api/v1/remove-bg`, {
    method: 'POST',
    headers: getHeaders(apiKey),
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

function getHeaders(apiKey: string): Record<string, string> {
  return { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
}

/** Appends a `free` box of MP4: a longer file with the same video. */
function padded(mp4: Buffer, length: number): Buffer {
  const rest = Buffer.alloc(length - mp4.length);
  rest.writeUInt32BE(rest.length);
  rest.write('free', 4);
  return Buffer.concat([mp4, rest]);
}

/** Returns by how much a reading grew at most while something was done. */
async function mostWhile(read: () => Promise<number>, work: () => Promise<void>): Promise<number> {
  const before = await read();
  let most = before;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, await read());
      await wait(SAMPLE_MS);
    }
  })();
  await work();
  isOver = true;
  await watching;
  return most - before;
}

async function getMemory({ process: { pid = 0 } }: Service): Promise<number> {
  return sum(await Promise.all((await listProcessTree(pid)).map((stat) => readProportionalBytes(stat.pid))));
}

/** The database's own files grow by themselves. */
async function folderBytesBesidePostgres(folder: string): Promise<number> {
  return (await folderBytes(folder)) - (await folderBytes(join(folder, 'postgres')));
}

async function times(work: () => Promise<void>): Promise<number[]> {
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round++) all.push(await timeMs(work));
  return all;
}

async function timed<Value>(work: () => Promise<Value>): Promise<{ value: Value; tookMs: number }> {
  const startedAtMs = performance.now();
  const value = await work();
  return { value, tookMs: performance.now() - startedAtMs };
}

/** Counts equal values, such as `402: 12`. */
function tally(values: readonly (string | number)[]): string {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${value}: ${count}`).join(', ');
}
