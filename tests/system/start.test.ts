import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileServer, serveFiles } from '../../lab/support/file-server.ts';
import {
  type Account,
  type ApiClient,
  createApiClient,
  findFreePort,
  type Service,
  startService,
  stopPart,
  waitUntilHealthy,
} from '../../lab/support/service.ts';
import { isAlive } from '../../server/base/is-alive.ts';
import { startPostgres } from '../../server/ops/embedded/index.ts';
import { startTraceCollector, type TraceCollector } from '../support/servers/trace-collector.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';

const PHOTO = resolve(import.meta.dirname, '../fixtures/images/fading.heic');

let service: Service;
let account: Account;
let api: ApiClient;
let files: FileServer;
let hooks: WebhookReceiver;
let collector: TraceCollector;

beforeAll(async () => {
  files = await serveFiles({
    '/photo.heic': await readFile(PHOTO),
    '/broken.png': (
      await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
    ).subarray(0, 90),
  });
  hooks = await startWebhookReceiver();
  collector = await startTraceCollector();
  service = await startService({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  });
  account = await service.account('a@example.com', '5');
  api = createApiClient(service.url, account.api_key);
}, 300_000);

afterAll(async () => {
  await files?.close();
  await hooks?.close();
  await service?.stop();
  await collector?.close();
}, 60_000);

describe('npm start', () => {
  it('turns a HEIC photo into AVIF, captures the price and delivers a signed webhook', async () => {
    expect(account).toMatchObject({ email: 'a@example.com', balance_usd: '5.00' });
    const accepted = await api.convert(
      { image_url: `${files.url}/photo.heic`, to_format: 'avif' },
      { 'x-webhook-url': hooks.url },
    );
    expect(accepted.status).toBe(202);
    const job = await api.ended(accepted.body.request_id);
    expect(job).toMatchObject({
      status: 'COMPLETED',
      error: null,
      output: { media_type: 'image/avif', media_url: [expect.stringContaining(`${service.url}/cdn/`)] },
      billing: { held_usd: '0.00', charged_usd: '0.002' },
      progress: 1,
    });
    const result = await fetch(job.output.media_url[0]);
    expect(result.status).toBe(200);
    expect(result.headers.get('content-type')).toBe('image/avif');
    const picture = await sharp(Buffer.from(await result.arrayBuffer())).metadata();
    const source = await sharp(await readFile(PHOTO)).metadata();
    expect([picture.format, picture.compression]).toEqual(['heif', 'av1']);
    expect([picture.width, picture.height]).toEqual([source.width, source.height]);
    expect((await api.get('/api/v2/wallet')).body).toEqual({
      balance_usd: '4.998',
      held_usd: '0.00',
      available_usd: '4.998',
    });

    await hooks.until(1);
    const [hook] = hooks.received;
    const verified = new Webhook(account.webhook_secret).verify(hook?.body ?? '', hook?.headers ?? {});
    expect(verified).toEqual(job);
  });

  it('fails a corrupt file, and charges nothing', async () => {
    const before = (await api.get('/api/v2/wallet')).body;
    const accepted = await api.convert({ image_url: `${files.url}/broken.png`, to_format: 'webp' });
    expect(accepted.status).toBe(202);
    const job = await api.ended(accepted.body.request_id);
    expect(job).toMatchObject({ status: 'FAILED', error: expect.any(String), output: null });
    expect((await api.get('/api/v2/wallet')).body).toEqual(before);
  });

  it('returns JSON for unknown API paths and 200 for the home page', async () => {
    expect(await api.get('/api/nothing')).toMatchObject({ status: 404, body: { error: 'Not Found' } });
    const home = await fetch(service.url);
    expect(home.status).toBe(200);
    expect(await home.text()).toContain('Darkroom');
  });

  it('writes neither keys nor secrets into its logs', () => {
    expect(service.output()).toContain(account.account_id);
    expect(service.output()).not.toContain(account.api_key);
    expect(service.output()).not.toContain(account.webhook_secret);
  });

  it('exits cleanly on SIGTERM', async () => {
    const { pid } = service.process;
    expect(await service.stop()).toBe(0);
    expect(isAlive(pid ?? 0)).toBe(false);
    await expect(fetch(`${service.url}/api/health`)).rejects.toThrow();
  });

  it('has sent one trace of the conversion from web and runner, in our own words alone', () => {
    const spans = collector.spans();
    const delivery = spans.find(({ name }) => name === 'deliver webhook');
    const trace = spans.filter(({ traceId }) => traceId === delivery?.traceId);
    const named = trace.map(({ part, name }) => `${part}: ${name}`);
    expect(named).toEqual(
      expect.arrayContaining([
        'web: POST /media-tools/v1/image-convert',
        'web: accept job',
        'runner: run operation',
        'runner: encode',
        'runner: deliver webhook',
      ]),
    );
    // Next would write spans with whole URLs, if it could.
    expect([...new Set(spans.map(({ library }) => library))]).toEqual(['darkroom']);
    const sent = JSON.stringify(spans);
    for (const text of [account.api_key, account.webhook_secret, 'photo.heic', files.url]) {
      expect(sent).not.toContain(text);
    }
  });
});

it('npm start forwards SIGTERM and leaves no process behind', async () => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'darkroom-npm-'));
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '' };
  const npm = spawn('npm', ['start'], { cwd: resolve(import.meta.dirname, '../..'), env, stdio: 'ignore' });
  try {
    await waitUntilHealthy(url, npm, () => 'npm start');
    const postgres = await startPostgres({ dataDir });
    await stopPart(npm);
    await expect.poll(() => [postgres.pid].filter(isAlive), { timeout: 30_000, interval: 100 }).toEqual([]);
    await expect(fetch(`${url}/api/health`)).rejects.toThrow();
  } finally {
    npm.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }
});
