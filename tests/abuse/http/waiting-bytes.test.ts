import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { handleApi } from '../../../server/api/api.ts';
import type { Context, Prober } from '../../../server/base/context.ts';
import { collectGarbage } from '../../support/processes/collect-garbage.ts';
import { type HttpTarget, startHttpTarget } from '../../support/servers/http-target.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const FILE_BYTES = 200_000;
const FETCHED_MB = 1;
const REQUESTS = 12;

let api: TestApi;
let target: HttpTarget;
beforeAll(async () => {
  target = await startHttpTarget((_request, response) => void response.end(Buffer.alloc(FILE_BYTES, 1)));
  api = await startApi({ ACCOUNT_FETCHED_MB: String(FETCHED_MB) }, '0.01');
});
afterAll(async () => {
  await target.stop();
  await api.close();
});

let waits = 0;
/** Prober whose probes wait until their request has left. */
const waiting: Prober = {
  probe: (_request, { signal }) =>
    new Promise((_, reject) => {
      waits += 1;
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
};

const link = (at: number): string => `${target.origin}/${at}`;

function convert(ctx: Context, image_url: string, signal: AbortSignal): Promise<Response> {
  const request = new Request(`${ctx.env.PUBLIC_URL}/api/media-tools/v1/image-convert`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'ocp-apim-subscription-key': api.apiKey },
    body: JSON.stringify({ image_url, to_format: 'png' }),
    signal,
  });
  return handleApi(ctx, request);
}

beforeEach(() => {
  waits = 0;
});

/** Sends requests whose probes wait, and returns those that were refused and a function that ends all others. */
async function crowd(getUrl: (at: number) => string): Promise<{ refused: Response[]; end(): Promise<void> }> {
  const ctx = { ...api.ctx, prober: waiting };
  const left = new AbortController();
  const refused: Response[] = [];
  const requests = Array.from({ length: REQUESTS }, async (_, at) => {
    const response = await convert(ctx, getUrl(at), left.signal);
    if (!left.signal.aborted) refused.push(response);
  });
  await expect.poll(() => refused.length + waits).toBe(REQUESTS);
  const end = async () => {
    left.abort();
    await Promise.all(requests);
  };
  return { refused, end };
}

async function incomingBytes(): Promise<number> {
  const root = join(api.ctx.env.DATA_DIR, 'incoming');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

it('the files of requests that wait for their probes are bounded, and each further request gets 429', async () => {
  const { refused, end } = await crowd(link);
  expect(waits).toBeGreaterThan(0);
  expect(waits).toBeLessThanOrEqual((FETCHED_MB * 1_000_000) / FILE_BYTES);
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 429));
  expect(await refused[0]?.json()).toMatchObject({ message: expect.stringContaining('1 MB together') });
  expect(await incomingBytes()).toBe(waits * FILE_BYTES);

  // What waits for a request's own signal alone must not be collected with it.
  collectGarbage();
  await end();
  expect(await incomingBytes()).toBe(0);
  // The room is free again: this one is fetched, and its bytes are no image.
  expect((await convert(api.ctx, link(0), new AbortController().signal)).status).toBe(400);
});

it('copies of one upload are bounded as well, and the upload stays', async () => {
  const { body } = await api.upload(Buffer.alloc(FILE_BYTES, 1));
  const { refused, end } = await crowd(() => body.upload_url);
  expect(waits).toBe((FETCHED_MB * 1_000_000) / FILE_BYTES);
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 429));
  await end();
  expect((await convert(api.ctx, body.upload_url, new AbortController().signal)).status).toBe(400);
});
