import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  createClient,
  InsufficientBalanceError,
  InvalidArgumentError,
  InvalidRequestError,
  type Job,
  NotFoundError,
  type RetryOptions,
  ServiceError,
  SourceUnavailableError,
  TooManyRequestsError,
} from '../../clients/typescript/src/index.ts';
import { openFile } from '../../clients/typescript/src/node.ts';
import { handleApi } from '../../server/api/api.ts';
import { claimJob, failJob, reportProgress } from '../../server/jobs/index.ts';
import { drawRedBall, startApi, type TestApi } from '../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
});
afterAll(() => api.close());
afterEach(() => vi.useRealTimers());

type Relay = (request: Request, send: () => Promise<Response>) => Promise<Response>;

/** Creates a client of the service in this process. @param relay stands between the two */
function getClient({
  apiKey = api.apiKey,
  relay = (_request, send) => send(),
  retry = {},
}: {
  apiKey?: string;
  relay?: Relay;
  retry?: RetryOptions;
} = {}) {
  const fetch = (request: Request) => relay(request, () => handleApi(api.ctx, request));
  return createClient({ apiKey, origin: api.ctx.env.PUBLIC_URL, fetch, retry });
}

const convert = () => getClient().submit('media-convert-image', api.imageUrl, { to_format: 'webp' });
const subjectFile = async () => new Blob([await drawRedBall()], { type: 'image/png' });
async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

describe('submit', () => {
  it('does not wait for an operation that may respond with its result', async () => {
    const client = getClient();
    const id = await client.submit('remove-bg', await subjectFile(), {});
    expect(await client.getJob(id)).toMatchObject({ status: 'QUEUED', model_id: 'remove-bg' });
  });

  it('asks for a new run with cache: false, and for an earlier result without', async () => {
    const sent: (string | null)[] = [];
    const relay = async ({ headers }: Request) => {
      sent.push(headers.get('cache-control'));
      return Response.json({ request_id: 'remove-bg_1' });
    };
    const client = getClient({ relay });
    for (const options of [{}, { cache: true }, { cache: false }]) {
      await client.submit('remove-bg', 'https://example.com/otter.png', {}, options);
    }
    expect(sent).toEqual([null, null, 'no-cache']);
  });

  it('takes a stream, and a file of the disk', async () => {
    const client = getClient();
    const stream = (await subjectFile()).stream();
    expect(await client.submit('upscale', stream, { scale: 2 })).toMatch(/^upscale_/);
    const path = join(tmpdir(), `darkroom-${process.pid}.png`);
    await writeFile(path, await drawRedBall());
    const file = await openFile(path);
    expect(file).toMatchObject({ name: `darkroom-${process.pid}.png`, type: 'image/png' });
    expect(Buffer.from(await file.arrayBuffer())).toEqual(await readFile(path));
    expect(await client.submit('upscale', file, {})).toMatch(/^upscale_/);
    await rm(path);
  });

  it('cancels a job whose caller left before its id was known', async () => {
    const stop = new AbortController();
    let id = '';
    const client = getClient({
      async relay(request, send) {
        const response = await send();
        if (request.method !== 'POST') return response;
        id = ((await response.clone().json()) as { request_id: string }).request_id;
        stop.abort(new Error('left'));
        return response;
      },
    });
    const call = client.run('upscale', api.imageUrl, {}, { signal: stop.signal });
    expect(await thrownBy(call)).toMatchObject({ message: 'left' });
    expect(await client.getJob(id)).toMatchObject({ status: 'FAILED', error: 'canceled' });
  });
});

describe('requests', () => {
  it('lists all of them over pages, newest first, by filters', async () => {
    const client = getClient();
    const ids = [await convert(), await convert(), await convert()].reverse();
    const listed: string[] = [];
    for await (const { request_id } of client.allRequests({ operation: 'media-convert-image', limit: 2 }))
      listed.push(request_id);
    expect(listed).toEqual(ids);
    const page = await client.listRequests({ status: 'QUEUED', limit: 1 });
    expect(page.requests).toHaveLength(1);
    expect(page.next_cursor).toEqual(expect.any(String));
    expect((await client.listRequests({ status: 'COMPLETED' })).requests).toEqual([]);
  });

  it('yields each state once, over a stream that breaks off', async () => {
    let streams = 0;
    const client = getClient({
      async relay(request, send) {
        const response = await send();
        if (!request.url.endsWith('/events') || ++streams > 1) return response;
        const broken = new TransformStream<Uint8Array, Uint8Array>({
          transform(bytes, out) {
            out.enqueue(bytes.slice(0, 20));
            out.enqueue(bytes.slice(20));
            out.enqueue(new TextEncoder().encode('event: job\ndata: {"half'));
            out.error(new TypeError('terminated'));
          },
        });
        return new Response(response.body?.pipeThrough(broken) ?? null, response);
      },
    });
    const id = await convert();
    const states: [Job['status'], number][] = [];
    for await (const { status, progress } of client.events(id)) {
      states.push([status, progress]);
      const attempt = status === 'QUEUED' ? await claimJob(api.ctx.db, id) : null;
      if (!attempt) continue;
      await reportProgress(api.ctx.db, attempt, 0.5);
      // The rest happens while the client reads.
      void vi
        .waitFor(() => expect(states).toContainEqual(['PROCESSING', 0.5]), { timeout: 60_000 })
        .then(() => failJob(api.ctx, attempt, { status: 'FAILED', message: 'damaged' }));
    }
    expect(streams).toBe(2);
    expect(states).toEqual([
      ['QUEUED', 0],
      ['PROCESSING', 0.5],
      ['FAILED', 0.5],
    ]);
  });

  it('quotes a file, and tells charges and balance', async () => {
    const client = getClient();
    expect(await client.quote('remove-bg', await subjectFile(), {})).toMatchObject({
      model_id: 'remove-bg',
      price_usd: '0.01',
      facts: { mediaType: 'image/png' },
    });
    expect(await client.usage({ from: '2026-01-01', to: '2026-01-31' })).toMatchObject({ usage: [] });
    expect(await client.wallet()).toMatchObject({ balance_usd: '1.00' });
  });
});

describe('errors', () => {
  it('name the field, and say what to do next', async () => {
    const client = getClient();
    const params = { to_format: 'webp' as const, quality: 500 };
    const invalid = await thrownBy(client.submit('media-convert-image', api.imageUrl, params));
    expect(invalid).toBeInstanceOf(InvalidRequestError);
    expect(invalid).toBeInstanceOf(ApiError);
    expect(invalid).toMatchObject({ status: 400, code: 'bad_request', field: 'quality' });
    expect(invalid).toMatchObject({ traceId: expect.any(String), advice: expect.stringMatching(/^Correct/) });
    const unknown = await thrownBy(client.getJob('upscale_0'));
    expect(unknown).toBeInstanceOf(NotFoundError);
    const keyless = await thrownBy(getClient({ apiKey: 'mk_unknown' }).wallet());
    expect(keyless).toBeInstanceOf(AuthenticationError);
  });

  it('tell a lack of money by its code, whatever its status', async () => {
    const poor = await startApi({}, '0');
    const fetch = (request: Request) => handleApi(poor.ctx, request);
    const client = createClient({ apiKey: poor.apiKey, origin: poor.ctx.env.PUBLIC_URL, fetch });
    for (const id of ['upscale', 'image-moderation'] as const) {
      expect(await thrownBy(client.submit(id, poor.imageUrl, {}))).toBeInstanceOf(InsufficientBalanceError);
    }
    await poor.close();
  });

  it('say that a source may be back soon, whatever the status', async () => {
    for (const status of [400, 422]) {
      const body = { error: 'Bad Request', message: 'image_url: 503.', code: 'source_unavailable' };
      const relay = async () => Response.json(body, { status, headers: { 'retry-after': '7' } });
      const refused = await thrownBy(getClient({ relay }).submit('image-moderation', api.imageUrl, {}));
      expect(refused).toBeInstanceOf(SourceUnavailableError);
      expect(refused).toBeInstanceOf(InvalidRequestError);
      expect(refused).toMatchObject({
        retryAfterSeconds: 7,
        advice: expect.stringMatching(/^Send the same/),
      });
    }
  });

  it.each(['engine_unavailable', 'category_unavailable'])('say that %s lasts', async (code) => {
    const body = { error: 'Service Unavailable', message: 'categories: none.', code };
    const relay = async () => Response.json(body, { status: 503 });
    const refused = await thrownBy(getClient({ relay }).submit('image-moderation', api.imageUrl, {}));
    expect(refused).toBeInstanceOf(ServiceError);
    expect(refused).toMatchObject({ advice: expect.stringMatching(/The same request fails again\.$/) });
  });

  it('come before anything is sent where an argument is none', async () => {
    const relay = async () => {
      throw new Error('a request was sent');
    };
    // As callers without types may do.
    const client = getClient({ relay }) as unknown as Record<
      string,
      (...args: unknown[]) => Promise<unknown>
    >;
    const item = { input: api.imageUrl };
    const file = await subjectFile();
    const calls: [call: () => Promise<unknown> | undefined, message: string][] = [
      [() => client.run?.('nope', file, {}), 'model_id: "nope" must be one of media-convert-image'],
      [() => client.submitBatch?.('nope', [item]), 'model_id: "nope" must be'],
      [() => client.quote?.('nope', file, {}), 'model_id: "nope" must be'],
      [() => client.runBatch?.('audio-diarize', [item]), 'model_id: "audio-diarize" has no batches.'],
      [() => client.run?.('upscale', undefined, {}), 'input: must be a URL, a Blob or a stream.'],
      [() => client.runBatch?.('upscale', [file]), 'input: must be'],
    ];
    for (const [call, message] of calls) {
      const thrown = await thrownBy(Promise.resolve(call()));
      expect(thrown).toBeInstanceOf(InvalidArgumentError);
      expect(thrown).toMatchObject({ message: expect.stringContaining(message) });
    }
  });

  it('come after five attempts, with the wait that the service asks for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let attempts = 0;
    const failingWith = (respond: () => Response) => {
      attempts = 0;
      const client = getClient({
        async relay() {
          attempts += 1;
          return respond();
        },
      });
      return thrownBy(client.wallet());
    };
    const lost = failingWith(() => {
      throw new TypeError('fetch failed');
    });
    await vi.advanceTimersByTimeAsync(7_500);
    expect(await lost).toBeInstanceOf(ConnectionError);
    expect(await lost).toMatchObject({ message: expect.stringContaining('cannot be reached') });
    expect(attempts).toBe(5);
    const limited = failingWith(
      () => new Response('{"message":"slower"}', { status: 429, headers: { 'retry-after': '10' } }),
    );
    await vi.advanceTimersByTimeAsync(39_999);
    expect(attempts).toBe(4);
    await vi.advanceTimersByTimeAsync(1);
    expect(await limited).toBeInstanceOf(TooManyRequestsError);
    expect(await limited).toMatchObject({ retryAfterSeconds: 10, message: 'slower' });
  });

  it('says of a page in place of JSON that the origin may be another server', async () => {
    const client = getClient({ relay: async () => new Response('<!doctype html>') });
    const thrown = await thrownBy(client.wallet());
    expect(thrown).toBeInstanceOf(ConnectionError);
    expect(thrown).toMatchObject({
      message: expect.stringContaining('did not respond with JSON'),
      advice: expect.stringContaining('origin'),
    });
  });

  it('come at once where the service asks for more patience than the caller has', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const responses = [10, 11].map((seconds) =>
      Response.json({ error: 'Slow' }, { status: 429, headers: { 'retry-after': String(seconds) } }),
    );
    let attempts = 0;
    const client = getClient({
      relay: async () => responses[attempts++] ?? Response.json({}),
      retry: { firstPauseMs: 1, retryAfterMsMax: 10_000 },
    });
    const refused = thrownBy(client.wallet());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await refused).toMatchObject({ retryAfterSeconds: 11, title: 'Slow', code: null });
    expect(attempts).toBe(2);
  });

  it('wait for a first request with the same Idempotency-Key; a conflict without Retry-After is thrown', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const conflict = (headers: Record<string, string>) =>
      Response.json({ error: 'Conflict', message: 'still running' }, { status: 409, headers });
    const responses = [
      conflict({ 'retry-after': '20' }),
      Response.json({ balance_usd: '1.00' }),
      conflict({}),
    ];
    let attempts = 0;
    const client = getClient({ relay: async () => responses[attempts++] ?? Response.json({}) });
    const repeated = client.wallet();
    await vi.advanceTimersByTimeAsync(19_999);
    expect(attempts).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await repeated).toEqual({ balance_usd: '1.00' });
    expect(await thrownBy(client.wallet())).toMatchObject({ status: 409, retryAfterSeconds: null });
  });

  it('begin with the pause that the caller gives', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let attempts = 0;
    const client = getClient({
      async relay() {
        attempts += 1;
        throw new TypeError('fetch failed');
      },
      retry: { firstPauseMs: 1_000 },
    });
    const lost = thrownBy(client.wallet());
    await vi.advanceTimersByTimeAsync(14_999);
    expect(attempts).toBe(4);
    await vi.advanceTimersByTimeAsync(1);
    expect(await lost).toBeInstanceOf(ConnectionError);
  });
});

it('sends the key to the service only', async () => {
  const sent: Request[] = [];
  const client = getClient({
    async relay(request) {
      sent.push(request);
      return new Response('bytes');
    },
  });
  const response = await client.download('https://files.example.com/cdn/a.webp');
  expect(await response.text()).toBe('bytes');
  expect(sent[0]?.headers.has('authorization')).toBe(false);
});

it('quotes a batch item by item, and deletes what it has uploaded for it', async () => {
  const client = getClient();
  const quote = await client.quoteBatch(
    'media-convert-image',
    [{ input: await subjectFile() }, { input: api.imageUrl }, { input: `${api.files.url}/note.txt` }],
    { to_format: 'webp' },
  );
  expect(quote).toEqual({
    model_id: 'media-convert-image-batch',
    price_usd: '0.004',
    items: [
      { price_usd: '0.002' },
      { price_usd: '0.002' },
      { error: expect.any(String), code: 'unsupported', field: 'items[2].image_url' },
    ],
  });
  expect((await client.listUploads()).uploads).toEqual([]);
});

it('uploads no more files of a batch after one has failed, and leaves none', async () => {
  let uploads = 0;
  const relay: Relay = async (request, send) => {
    if (request.method !== 'POST' || !request.url.includes('/uploads')) return await send();
    uploads += 1;
    if (uploads > 1) return await send();
    return Response.json({ error: 'Bad Request', message: 'no', code: 'bad_request' }, { status: 400 });
  };
  const client = getClient({ relay });
  const file = await subjectFile();
  const items = Array.from({ length: 20 }, () => ({ input: file }));
  const failed = await thrownBy(client.submitBatch('media-convert-image', items, { to_format: 'webp' }));
  expect(failed).toBeInstanceOf(InvalidRequestError);
  expect(uploads).toBeLessThanOrEqual(8);
  expect((await client.listUploads()).uploads).toEqual([]);
});

it('makes a token that works in place of the key, and ends it', async () => {
  const client = getClient();
  const { token, token_id, ...limits } = await client.createToken({
    max_usd: '0.01',
    expires_in_seconds: 60,
    operations: ['media-convert-image'],
  });
  expect(limits).toMatchObject({ max_usd: '0.01', operations: ['media-convert-image'] });
  const page = getClient({ apiKey: token });
  const id = await page.submit('media-convert-image', api.imageUrl, { to_format: 'webp' });
  expect((await page.listRequests()).requests.map(({ request_id }) => request_id)).toEqual([id]);
  await client.deleteToken(token_id);
  expect(await thrownBy(page.wallet())).toBeInstanceOf(AuthenticationError);
  expect(await thrownBy(client.deleteToken('..'))).toBeInstanceOf(RangeError);
});

it('runs a batch of files and URLs as one job', { tags: ['long'] }, async () => {
  await api.startRunner();
  const job = await getClient().runBatch(
    'remove-bg',
    [{ input: await subjectFile() }, { input: `${api.files.url}/note.txt` }],
    { background: '#fff' },
  );
  // Items have the type of the operation's own result.
  const results = job.output.items.map((item) => (item.status === 'success' ? item.output_url : item.code));
  expect(results).toEqual([expect.stringContaining('/cdn/'), 'unsupported']);
  expect(job.billing.charged_usd).toBe('0.01');
});
