import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { vi } from 'vitest';
import { type FileServer, serveFiles } from '../../../lab/support/file-server.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import { parseUsd } from '../../../models/core/operation/money.ts';
import { handleApi } from '../../../server/api/api.ts';
import type { Context, Operations } from '../../../server/base/context.ts';
import { readEnv } from '../../../server/base/env.ts';
import { createLogger } from '../../../server/base/log.ts';
import { openTracer } from '../../../server/base/open-tracer.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { openStorage } from '../../../server/io/storage/index.ts';
import { type Runner, startRunner } from '../../../server/jobs/runner/runner.ts';
import { topUp } from '../../../server/money/wallet/index.ts';
import { removeFolder } from '../setup/remove-folder.ts';
import { CHEAP_HASHER } from './cheap-hasher.ts';
import { createTestDatabase } from './database.ts';
import { createInProcessProber } from './in-process-prober.ts';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or text. */
  readonly body: ReturnType<JSON['parse']>;
}

export interface TestApi {
  readonly ctx: Context;
  readonly accountId: string;
  readonly apiKey: string;
  readonly files: FileServer;
  /** URL of an image on the file server. */
  readonly imageUrl: string;
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
  /** POST of an image conversion with the test's own key. */
  convert(body: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  /** POST of a background removal with the test's own key. */
  removeBg(body: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  /** POST of a batch of background removals with the test's own key. */
  removeBgBatch(body: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  /** Returns the job once it has ended, within `msMax`: two minutes by default. */
  ended(id: string, msMax?: number): Promise<ApiResponse['body']>;
  /** Returns a job as its owner sees it. */
  status(id: string): Promise<ApiResponse>;
  /** Starts a runner, with the product's own operations, until the test's end. */
  startRunner(): Promise<Runner>;
  /** Sends POST /api/uploads with the test's own key. */
  upload(body: FileBody, headers?: Record<string, string>): Promise<ApiResponse>;
  /** Posts JSON to a path below /api, with the test's own key in both families' headers. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  close(): Promise<void>;
}

type FileBody = Uint8Array<ArrayBuffer> | ReadableStream;

interface CallOptions {
  /** Bytes or text are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Aborts as a disconnecting client does. */
  readonly signal?: AbortSignal;
}

/** Operations in place of the product's own. */
export interface Offer {
  readonly operations: Operations;
  /** Module that exports them as `OPERATIONS`, for the runner's children. */
  readonly module: URL;
}

/**
 * Starts the whole HTTP interface in this process, on its own database and store; without a runner.
 * @param logLines receives the lines of the log
 */
export async function startApi(
  environment: Record<string, string> = {},
  creditUsd = '1',
  offer?: Offer,
  logLines?: string[],
): Promise<TestApi> {
  const { ctx, database, dataDir } = await openContext(environment, offer, logLines);
  const files = await serveFiles(await drawSamples());
  const { accountId } = await openAccount(ctx.db, 'owner@example.com');
  const amount = parseUsd(creditUsd);
  if (amount > 0n) {
    await topUp(ctx.db, { accountId, amount, idempotencyKey: 'test-credit', reference: 'test' });
  }
  const { apiKey } = await issueKey(ctx.db, { accountId, name: 'test' });
  const runners: Runner[] = [];
  return {
    ctx,
    accountId,
    apiKey,
    files,
    imageUrl: `${files.url}/photo.png`,
    ...getRequests((method, path, options) => callApi(ctx, method, path, options), apiKey),
    async startRunner() {
      // Its children inherit this process's environment.
      vi.stubEnv('DATA_DIR', dataDir);
      vi.stubEnv('MODELS_OFFLINE', '1');
      const own = offer && { operations: offer.operations, operationsModule: fileURLToPath(offer.module) };
      const runner = startRunner(ctx, { databaseUrl: database.url, ...own });
      runners.push(runner);
      await runner.ready;
      return runner;
    },
    async close() {
      await Promise.all(runners.map((runner) => runner.stop(0)));
      await files.close();
      await database.drop();
      await removeFolder(dataDir);
    },
  };
}

async function openContext(environment: Record<string, string>, offer?: Offer, logLines?: string[]) {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'darkroom-api-'));
  const env = readEnv({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    FETCH_ALLOW_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
    // One child by default, since each has to start a process.
    RUNNER_CONCURRENCY: '1',
    ...environment,
  });
  const log = createLogger(env.LOG_LEVEL, 'test', logLines && { write: (line) => logLines.push(line) });
  const tracer = await openTracer(env, 'test', log);
  const ctx: Context = {
    env,
    log,
    ...(tracer && { tracer }),
    db: database.db,
    storage: await openStorage(env),
    prober: createInProcessProber(offer?.operations),
    passwordHasher: CHEAP_HASHER,
    ...(offer && { operations: offer.operations }),
  };
  return { ctx, database, dataDir };
}

type Requests = Pick<
  TestApi,
  'call' | 'convert' | 'removeBg' | 'removeBgBatch' | 'ended' | 'post' | 'status' | 'upload'
>;

/** Returns the requests that tests send with their own key. */
function getRequests(call: TestApi['call'], apiKey: string): Requests {
  const bearer = { authorization: `Bearer ${apiKey}` };
  const subscription = { 'ocp-apim-subscription-key': apiKey };
  const post = (path: string, body: unknown, headers: Record<string, string>): Promise<ApiResponse> =>
    call('POST', path, { body, headers });
  return {
    call,
    convert: (body, headers) =>
      post('/api/media-tools/v1/image-convert', body, { ...subscription, ...headers }),
    removeBg: (body, headers) => post('/api/v1/remove-bg', body, { ...bearer, ...headers }),
    removeBgBatch: (body, headers) => post('/api/v1/remove-bg/batch', body, { ...bearer, ...headers }),
    async ended(id, msMax = 120_000) {
      for (const endMs = Date.now() + msMax; Date.now() < endMs; ) {
        const { body } = await call('GET', `/api/v2/requests/status/${id}`, { headers: bearer });
        if (isTerminal(body.status)) return body;
        await new Promise((next) => setTimeout(next, 100));
      }
      throw new Error(`${id} has not ended`);
    },
    post: (path, body, headers) => post(`/api${path}`, body, { ...bearer, ...subscription, ...headers }),
    status: (id) => call('GET', `/api/v2/requests/status/${id}`, { headers: bearer }),
    upload: (body, headers) =>
      post('/api/uploads', body, { 'content-type': 'application/octet-stream', ...subscription, ...headers }),
  };
}

let samples: Promise<Record<string, Buffer<ArrayBuffer>>> | undefined;

/** Draws what the file server of each test offers, once in a process. */
function drawSamples(): Promise<Record<string, Buffer<ArrayBuffer>>> {
  const drawFlat = async (width: number, height: number, background: string) =>
    Buffer.from(
      await sharp({ create: { width, height, channels: 3, background } })
        .png()
        .toBuffer(),
    );
  samples ??= (async () => ({
    '/photo.png': await drawFlat(8, 6, '#c7321b'),
    '/subject.png': await drawRedBall(),
    '/sky.png': await drawFlat(30, 20, '#80a0e0'),
    '/note.txt': Buffer.from('not an image'),
  }))();
  return samples;
}

/** Draws a red ball before a wall, 160 x 120: the bundled model finds it. */
export async function drawRedBall(
  format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png',
): Promise<Buffer<ArrayBuffer>> {
  const ball = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><circle cx="80" cy="62" r="34" fill="#d02818"/><circle cx="70" cy="50" r="10" fill="#f0a090"/></svg>',
  );
  const wall = sharp({ create: { width: 160, height: 120, channels: 3, background: '#c9d4c4' } });
  return Buffer.from(
    await wall
      .composite([{ input: ball }])
      .toFormat(format)
      .toBuffer(),
  );
}

async function callApi(
  ctx: Context,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<ApiResponse> {
  const { body, headers = {}, signal = null } = options;
  const request = new Request(new URL(path, ctx.env.PUBLIC_URL), {
    method,
    signal,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body), duplex: 'half' }),
  });
  const response = await handleApi(ctx, request);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

function isRaw(body: unknown): body is string | FileBody {
  return typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream;
}
