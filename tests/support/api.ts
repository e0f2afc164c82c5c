import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { parseUsd } from '../../models/money.ts';
import { openAccount } from '../../server/accounts/index.ts';
import type { Context } from '../../server/context.ts';
import { readEnv } from '../../server/env.ts';
import { handleApi } from '../../server/http/api.ts';
import { issueKey } from '../../server/keys/index.ts';
import { createLogger } from '../../server/log.ts';
import { openStorage } from '../../server/storage/index.ts';
import { topUp } from '../../server/wallet/index.ts';
import { createTestDatabase } from './database.ts';
import { type FileServer, serveFiles } from './file-server.ts';

export interface Answer {
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
  /** A picture that the file server gives. */
  readonly imageUrl: string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** POST of an image conversion with the test's own key. */
  convert(body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** POST of a file to /api/uploads with the test's own key. */
  upload(body: FileBody, headers?: Record<string, string>): Promise<Answer>;
  close(): Promise<void>;
}

type FileBody = Uint8Array<ArrayBuffer> | ReadableStream;

interface CallOptions {
  /** Sent as it is when it is bytes or text, as JSON otherwise. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** The whole HTTP interface in this process, on a database and a store of its own; without a runner. */
export async function startApi(environment: Record<string, string> = {}, creditUsd = '1'): Promise<TestApi> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'darkroom-api-'));
  const files = await serveFiles({
    '/photo.png': await sharp({ create: { width: 8, height: 6, channels: 3, background: '#c7321b' } })
      .png()
      .toBuffer(),
    '/note.txt': Buffer.from('not an image'),
  });
  const env = readEnv({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    FETCH_ALLOW_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
    ...environment,
  });
  const ctx: Context = {
    env,
    db: database.db,
    storage: await openStorage(env),
    log: createLogger(env.LOG_LEVEL, 'test'),
  };
  const { accountId } = await openAccount(ctx.db, 'owner@example.com');
  const amount = parseUsd(creditUsd);
  if (amount > 0n) {
    await topUp(ctx.db, { accountId, amount, idempotencyKey: 'test-credit', reference: 'test' });
  }
  const { apiKey } = await issueKey(ctx.db, { accountId, name: 'test' });
  const call: TestApi['call'] = (method, path, options) => callApi(ctx, method, path, options);
  return {
    ctx,
    accountId,
    apiKey,
    files,
    imageUrl: `${files.url}/photo.png`,
    call,
    convert: (body, headers) =>
      call('POST', '/api/media-tools/v1/image-convert', {
        body,
        headers: { 'ocp-apim-subscription-key': apiKey, ...headers },
      }),
    upload: (body, headers) =>
      call('POST', '/api/uploads', {
        body,
        headers: {
          'content-type': 'application/octet-stream',
          'ocp-apim-subscription-key': apiKey,
          ...headers,
        },
      }),
    async close() {
      await files.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function callApi(
  ctx: Context,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const { body, headers = {} } = options;
  const request = new Request(new URL(path, ctx.env.PUBLIC_URL), {
    method,
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
