import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ApiError,
  type Client,
  createClient,
  type Fetch,
  InvalidArgumentError,
  JobFailedError,
  verifyWebhook,
} from '../../clients/typescript/src/index.ts';
import { handleApi } from '../../server/api/api.ts';
import { schema } from '../../server/base/database/db.ts';
import { createSignatureHeaders } from '../../server/io/webhooks/deliver-webhook.ts';
import { claimJob, completeJob, failJob } from '../../server/jobs/index.ts';
import { startApi, type TestApi } from '../support/service/api.ts';
import { openSignedInBrowser } from '../support/service/sign-in.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Creates a client of the service in this process, whose first responses may be others, or get lost. */
function getClient(first: (Response | 'lost')[] = [], apiKey: string | null = api.apiKey, cookie = '') {
  const sent: Request[] = [];
  const fetch = async (request: Request) => {
    sent.push(request.clone());
    const instead = first.shift();
    if (instead instanceof Response) return instead;
    // A browser adds both to what our own page sends.
    if (cookie) request.headers.set('cookie', cookie);
    if (cookie) request.headers.set('sec-fetch-site', 'same-origin');
    const response = await handleApi(api.ctx, request);
    if (instead === 'lost') throw new TypeError('The connection was lost.');
    return response;
  };
  return { client: createClient({ apiKey, origin: api.ctx.env.PUBLIC_URL, fetch }), sent };
}
const attemptAt = async (id: string) => {
  const attempt = await claimJob(api.ctx.db, id);
  if (!attempt) throw new Error(`${id} has ended`);
  return attempt;
};
const png = async () => new Blob([await (await fetch(api.imageUrl)).arrayBuffer()], { type: 'image/png' });

it('uploads a large file in parts, and goes on after a lost response', async () => {
  const file = new Blob([new Uint8Array(40 * 1024 * 1024).map((_, at) => at % 251)]);
  const { client, sent } = getClient();
  const url = await client.upload(file);
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'PATCH', 'PATCH']);
  expect(sent.slice(1).map(({ headers }) => Number(headers.get('upload-offset')))).toEqual([
    ...[0, 16 * 1024 * 1024, 32 * 1024 * 1024],
  ]);
  const token = url.split('/').at(-1) ?? '';
  const [row] = await api.ctx.db.select().from(schema.uploads).where(eq(schema.uploads.token, token));
  expect(row).toMatchObject({ bytes: file.size, receivedBytes: null });
  const lossy = getClient([await started(), 'lost']);
  await lossy.client.upload(file);
  const methods = lossy.sent.map(({ method }) => method);
  expect(methods).toEqual(['POST', 'PATCH', 'PATCH', 'HEAD', 'PATCH', 'PATCH']);
});

it('tells how much of a file has been sent, and falls back to what has arrived', async () => {
  const file = new Blob([new Uint8Array(40 * 1024 * 1024)]);
  const toldFor = async (client: Client, input: Blob) => {
    const told: number[] = [];
    await client.upload(input, undefined, ({ sentBytes, totalBytes }) => {
      expect(totalBytes).toBe(input.size);
      told.push(sentBytes / 1024 ** 2);
    });
    return told;
  };
  expect(await toldFor(getClient().client, file)).toEqual([16, 32, 40]);
  expect(await toldFor(getClient().client, await png())).toHaveLength(1);
  // A connection that counts on its own, and loses the second part.
  const responses = [() => Response.json({ message: 'elsewhere' }, { status: 409 }), () => getOffset(16)];
  const fetch: Fetch = async (request, onSent) => {
    if (request.method === 'POST') return await started();
    onSent?.(1024 ** 2);
    const offset = Number(request.headers.get('upload-offset'));
    if (offset === 16 * 1024 ** 2 || request.method === 'HEAD') {
      const respond = responses.shift();
      if (respond) return respond();
    }
    return getOffset(Math.min(40, offset / 1024 ** 2 + 16));
  };
  const counting = createClient({ apiKey: api.apiKey, origin: api.ctx.env.PUBLIC_URL, fetch });
  expect(await toldFor(counting, file)).toEqual([1, 16, 17, 16, 17, 32, 33, 40]);
});

function getOffset(mebibytes: number): Response {
  return new Response(null, { headers: { 'upload-offset': String(mebibytes * 1024 ** 2) } });
}

it('deletes a file that has arrived in part when its upload is aborted', async () => {
  const countUploads = async () => (await getClient().client.listUploads({ limit: 100 })).uploads.length;
  const before = await countUploads();
  const stop = new AbortController();
  const { client, sent } = getClient();
  const file = new Blob([new Uint8Array(40 * 1024 * 1024)]);
  const upload = client.upload(file, stop.signal, () => stop.abort(new Error('left')));
  await expect(upload).rejects.toThrow('left');
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'DELETE']);
  expect(sent.at(-1)?.keepalive).toBe(true);
  expect(await countUploads()).toBe(before);
});

it('deletes a file that has arrived in part when its upload is refused', async () => {
  const refusal = Response.json(
    { error: 'Bad Request', message: 'no', code: 'bad_request' },
    { status: 400 },
  );
  const { client, sent } = getClient([await started(), refusal]);
  await expect(client.upload(new Blob([new Uint8Array(20 * 1024 * 1024)]))).rejects.toThrow('no');
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'DELETE']);
});

it('runs without a key on the session of our own pages, which pays', async () => {
  const { cookie } = await openSignedInBrowser(api, { accountId: api.accountId, email: 'owner@example.com' });
  const { client, sent } = getClient([], null, cookie);
  const ids = [
    await client.submit('media-convert-image', await png(), { to_format: 'webp' }),
    await client.submit('upscale', api.imageUrl, {}),
  ];
  for (const id of ids) {
    const [job] = await api.ctx.db.select().from(schema.jobs).where(eq(schema.jobs.id, id));
    expect(job).toMatchObject({ accountId: api.accountId, keyId: null });
  }
  expect(sent.length).toBeGreaterThan(2);
  const credentials = sent.flatMap(({ headers }) => [
    headers.get('authorization'),
    headers.get('ocp-apim-subscription-key'),
  ]);
  expect(new Set(credentials)).toEqual(new Set([null]));
  await expect(getClient([], null).client.wallet()).rejects.toMatchObject({ status: 401 });
});

/** Starts an upload of 40 MB, and returns the response. */
async function started(): Promise<Response> {
  const request = new Request(`${api.ctx.env.PUBLIC_URL}/api/v2/uploads`, {
    method: 'POST',
    body: JSON.stringify({ bytes: 40 * 1024 * 1024 }),
    headers: { authorization: `Bearer ${api.apiKey}`, 'content-type': 'application/json' },
  });
  return await handleApi(api.ctx, request);
}

describe('run', () => {
  it('sends a file in the field of its kind', async () => {
    const refusal = () => new Response('{"message":"no"}', { status: 400 });
    const uploaded = () => Response.json({ upload_url: 'https://example.com/a', upload_id: 'a' });
    const { client, sent } = getClient([uploaded(), refusal(), new Response(), refusal()]);
    const video = new Blob(['video'], { type: 'video/mp4' });
    await expect(client.run('remove-bg', video, {})).rejects.toThrow('no');
    expect(await sent[1]?.json()).toEqual({ video_url: 'https://example.com/a' });
    await expect(client.run('remove-bg', 'https://example.com/b', {})).rejects.toThrow('no');
    expect(sent[2]?.method).toBe('DELETE');
    expect(await sent[3]?.json()).toEqual({ image_url: 'https://example.com/b' });
  });

  it('runs a recipe as one job', async () => {
    const { client } = getClient();
    const steps = [{ id: 'web', operation: 'convert', params: { to_format: 'webp' } }];
    let isEnded = false;
    const job = await client.pipelines.run(
      await png(),
      { steps },
      {
        onProgress({ request_id }) {
          if (isEnded) return;
          isEnded = true;
          void attemptAt(request_id).then((attempt) =>
            completeJob(api.ctx, attempt, { files: [], engine: 'test', warnings: [] }),
          );
        },
      },
    );
    expect(job).toMatchObject({ status: 'COMPLETED', model_id: 'pipeline', steps: [{ id: 'web' }] });
  });

  it('uploads a file, reports each state and returns the completed job', async () => {
    const states: string[] = [];
    const { client } = getClient();
    const job = await client.run(
      'media-convert-image',
      await png(),
      { to_format: 'webp' },
      {
        onProgress({ status, request_id }) {
          states.push(status);
          if (states.length > 1) return;
          void attemptAt(request_id).then((attempt) =>
            completeJob(api.ctx, attempt, { files: [], engine: 'test', warnings: [] }),
          );
        },
      },
    );
    expect(job).toMatchObject({ status: 'COMPLETED', engine: 'test', billing: { charged_usd: '0.002' } });
    expect(states.at(0)).toBe('QUEUED');
    expect(states.at(-1)).toBe('COMPLETED');
  });

  it('throws the job when it fails', async () => {
    const { client } = getClient();
    const failing = client.run(
      'media-convert-image',
      api.imageUrl,
      { to_format: 'png' },
      {
        async onProgress({ status, request_id }) {
          if (status !== 'QUEUED') return;
          const attempt = await attemptAt(request_id);
          await failJob(api.ctx, attempt, { status: 'FAILED', message: 'The image is damaged.' });
        },
      },
    );
    const thrown = await failing.catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(JobFailedError);
    expect(thrown).toMatchObject({ message: 'The image is damaged.', job: { status: 'FAILED' } });
  });

  it('repeats a request with the same Idempotency-Key, so that there is one job', async () => {
    const before = await api.ctx.db.$count(schema.jobs);
    const { client, sent } = getClient(['lost']);
    const stop = new AbortController();
    const stopped = client.run(
      'media-convert-image',
      api.imageUrl,
      { to_format: 'gif' },
      {
        signal: stop.signal,
        onProgress: () => stop.abort(),
      },
    );
    await expect(stopped).rejects.toThrow();
    const keys = sent
      .filter(({ method }) => method === 'POST')
      .map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toEqual(expect.any(String));
    expect(keys[1]).toBe(keys[0]);
    expect(await api.ctx.db.$count(schema.jobs)).toBe(before + 1);
  });

  it('cancels its job when the signal aborts', async () => {
    const { client } = getClient();
    const stop = new AbortController();
    let id = '';
    const stopped = client.run(
      'media-convert-image',
      api.imageUrl,
      { to_format: 'bmp' },
      {
        signal: stop.signal,
        onProgress({ request_id }) {
          id = request_id;
          stop.abort(new Error('stopped'));
        },
      },
    );
    await expect(stopped).rejects.toThrow('stopped');
    expect(await client.getJob(id)).toMatchObject({ status: 'FAILED', error: 'canceled' });
  });

  it('throws what is wrong with a request, and sends it once', async () => {
    const { client, sent } = getClient();
    const thrown = await client
      .run('media-convert-image', api.imageUrl, { to_format: 'webp', quality: 500 })
      .catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ApiError);
    expect(thrown).toMatchObject({
      status: 400,
      code: 'bad_request',
      message: expect.stringMatching(/^quality: /),
    });
    expect(sent).toHaveLength(1);
    await expect(getClient([], 'mk_unknown').client.getJob('a')).rejects.toMatchObject({ status: 401 });
  });
});

it('names itself, and understands the address of the API as that of the service', async () => {
  for (const end of ['', '/', '/api', '/api/']) {
    const sent: Request[] = [];
    const fetch = async (request: Request) => {
      sent.push(request);
      return Response.json({});
    };
    await createClient({ apiKey: 'a', origin: `https://service.example${end}`, fetch }).wallet();
    expect(sent[0]?.url).toBe('https://service.example/api/v2/wallet');
    expect(sent[0]?.headers.get('user-agent')).toMatch(/^darkroom-ts\/\d+\.\d+\.\d+$/);
  }
});

it('deletes what it has uploaded for a request, and names the results after the file', async () => {
  const { client } = getClient();
  const before = (await client.listUploads()).uploads.length;
  const file = new File([await png()], 'otter.png', { type: 'image/png' });
  const id = await client.submit('media-convert-image', file, { to_format: 'webp' });
  expect((await client.listUploads()).uploads).toHaveLength(before);
  expect((await client.getJob(id)).status).toBe('QUEUED');
  await client.upload(file, undefined, undefined, 1);
  const [kept] = (await client.listUploads({ limit: 1 })).uploads;
  expect(kept).toMatchObject({ name: 'otter.png' });
  await client.deleteUpload(kept?.upload_id ?? '');
  expect((await client.listUploads()).uploads).toHaveLength(before);
});

it('sends a batch without waiting for its job, and asks for a new run', async () => {
  const { client, sent } = getClient();
  const items = [{ input: api.imageUrl }, { input: await png(), params: { to_format: 'gif' as const } }];
  const id = await client.submitBatch('media-convert-image', items, { to_format: 'webp' }, { cache: false });
  expect(id).toMatch(/^media-convert-image-batch_/);
  const posted = sent.find(({ url }) => url.endsWith('/batch'));
  expect(posted?.headers.get('cache-control')).toBe('no-cache');
});

describe('verifyWebhook', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  const body = JSON.stringify({ request_id: 'a', status: 'COMPLETED' });
  const getHeaders = (secrets: string[], at = new Date()) =>
    new Headers(createSignatureHeaders({ id: 'msg_1', at, body }, secrets));

  it('returns the job, also while a secret is being replaced', async () => {
    expect(await verifyWebhook(body, getHeaders([secret]), secret)).toMatchObject({ request_id: 'a' });
    expect(await verifyWebhook(body, getHeaders([other, secret]), secret)).toMatchObject({ request_id: 'a' });
  });

  it('tells an event of the account from a job by its type', async () => {
    const spending = JSON.stringify({ type: 'account.spending', share: 80, spent_usd: '8', cap_usd: '10' });
    const headers = new Headers(
      createSignatureHeaders({ id: 'm', at: new Date(), body: spending }, [secret]),
    );
    const event = await verifyWebhook(spending, headers, secret);
    expect('type' in event ? event.cap_usd : event.status).toBe('10');
  });

  it('refuses a wrong secret, another body, an old message and no signature', async () => {
    await expect(verifyWebhook(body, getHeaders([other]), secret)).rejects.toThrow('no valid signature');
    await expect(verifyWebhook(`${body} `, getHeaders([secret]), secret)).rejects.toThrow(
      'no valid signature',
    );
    const old = new Date(Date.now() - 600_000);
    await expect(verifyWebhook(body, getHeaders([secret], old), secret)).rejects.toThrow('too old');
    await expect(verifyWebhook(body, new Headers(), secret)).rejects.toThrow('too old');
  });

  it.each(['', 'whsec_', 'not base64!'])(
    'refuses the secret "%s", with which everyone could sign',
    async (none) => {
      await expect(verifyWebhook(body, getHeaders([secret]), none)).rejects.toThrow(InvalidArgumentError);
    },
  );
});
