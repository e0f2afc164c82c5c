import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { handleApi } from '../../../server/api/api.ts';
import { schema } from '../../../server/base/database/db.ts';
import { openAccount } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { abandonJob, OVERDUE } from '../../../server/jobs/index.ts';
import { release, topUp } from '../../../server/money/wallet/index.ts';
import { SHAPES } from '../../support/operations/shaped-operations.ts';
import { type HttpTarget, startHttpTarget } from '../../support/servers/http-target.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let target: HttpTarget;
let picture: Buffer;
beforeAll(async () => {
  picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  target = await startHttpTarget((_request, response) => {
    response.end(picture);
  });
});
afterAll(() => target.stop());

/** Body that counts how much of it is read. */
function watchedBody(): { body: ReadableStream<Uint8Array>; pulls: () => number } {
  let pulls = 0;
  const pull = (controller: ReadableStreamDefaultController) => {
    pulls += 1;
    controller.enqueue(randomBytes(1_000));
  };
  return { body: new ReadableStream({ pull }, { highWaterMark: 0 }), pulls: () => pulls };
}

async function filesIn(api: TestApi): Promise<string[]> {
  const names = ['incoming', 'storage'].map((name) =>
    readdir(join(api.ctx.env.DATA_DIR, name), { recursive: true }).catch(() => []),
  );
  return (await Promise.all(names)).flat();
}

describe('an account without money', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({}, '0', { ...SHAPES });
  });
  afterAll(() => api.close());
  afterEach(async () => {
    expect(target.requests).toEqual([]);
    expect(await filesIn(api)).toEqual([]);
  });

  it('gets the 403 of a verdict before its body is read or its image fetched', async () => {
    const { body, pulls } = watchedBody();
    const response = await api.call('POST', '/api/shapes/moderation', {
      body,
      headers: { 'content-type': 'application/json', 'ocp-apim-subscription-key': api.apiKey },
    });
    expect(response).toMatchObject({ status: 403, body: { error: 'Insufficient Balance' } });
    expect(pulls()).toBe(0);
  });
});

describe('an account without money', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({}, '0');
  });
  afterAll(() => api.close());
  afterEach(async () => {
    expect(target.requests).toEqual([]);
    expect(await filesIn(api)).toEqual([]);
  });

  it.each([
    ['/v1/remove-bg', '0.01'],
    ['/v1/remove-bg/batch', '0.01'],
    ['/media-tools/v1/image-convert', '0.002'],
  ])('gets 402 from POST %s before the body is read, with the lowest price', async (path, price) => {
    const { body, pulls } = watchedBody();
    const response = await api.call('POST', `/api${path}`, {
      body,
      headers: {
        'content-type': 'application/json',
        'ocp-apim-subscription-key': api.apiKey,
        authorization: `Bearer ${api.apiKey}`,
      },
    });
    expect(response).toMatchObject({
      status: 402,
      body: { error: 'Insufficient Balance', message: expect.stringContaining(`needs ${price} USD`) },
    });
    expect(pulls()).toBe(0);
  });

  it.each([
    ['a response of more than a day ago', { createdAt: sql`now() - interval '24 hours'` }],
    ['neither response nor job', { responseStatus: null, responseBody: null }],
  ])('gets 402 for an Idempotency-Key with %s, before anything is fetched', async (_, values) => {
    const key = {
      accountId: api.accountId,
      key: 'earlier',
      fingerprint: Buffer.alloc(32),
      lockedUntil: new Date(),
    };
    const row = { ...key, responseStatus: 400, responseBody: '{}', ...values };
    await api.ctx.db.insert(schema.idempotencyKeys).values(row);
    const response = await api.convert(
      { image_url: `${target.origin}/a`, to_format: 'png' },
      { 'idempotency-key': key.key },
    );
    expect(response.status).toBe(402);
    await api.ctx.db.delete(schema.idempotencyKeys);
  });

  it('gets 402 from POST /uploads, and nothing of the file is stored', async () => {
    const response = await api.upload(Buffer.alloc(100_000));
    expect(response).toMatchObject({ status: 402, body: { message: expect.stringContaining('0.002 USD') } });
  });
});

describe('an account with little money', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({}, '0.02');
  });
  afterAll(() => api.close());

  it('gets 402 for a batch as soon as its items cost too much, and the others are not fetched', async () => {
    target.requests.length = 0;
    const items = Array.from({ length: 60 }, (_, at) => ({ image_url: `${target.origin}/${at}` }));
    const response = await api.removeBgBatch({ items });
    expect(response.status).toBe(402);
    // Two are affordable; those under way when the third is known are at most six.
    expect(target.requests.length).toBeLessThan(12);
    expect((await filesIn(api)).filter((name) => name.endsWith('input'))).toEqual([]);
  });

  it('gets 402 with a key whose monthly cap is used up, before anything is fetched', async () => {
    const capped = { accountId: api.accountId, name: 'capped', monthlyCap: 1_000n };
    const { apiKey } = await issueKey(api.ctx.db, capped);
    target.requests.length = 0;
    const response = await api.convert(
      { image_url: `${target.origin}/a`, to_format: 'png' },
      { 'ocp-apim-subscription-key': apiKey },
    );
    expect(response).toMatchObject({
      status: 402,
      body: { message: expect.stringContaining('monthly cap') },
    });
    expect(target.requests).toEqual([]);
  });

  it('gets the first response of a repeated request, although it has spent everything since', async () => {
    const { accountId } = await openAccount(api.ctx.db, 'spent@example.com');
    await topUp(api.ctx.db, { accountId, amount: 2_000n, idempotencyKey: 'spent', reference: 'test' });
    const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'spent' });
    const headers = { 'ocp-apim-subscription-key': apiKey, 'idempotency-key': 'once' };
    const first = await api.convert({ image_url: api.imageUrl, to_format: 'png' }, headers);
    expect(first.status).toBe(202);
    const second = await api.convert({ image_url: api.imageUrl, to_format: 'png' }, headers);
    expect(second).toMatchObject({ status: 202, body: first.body });
    const other = await api.convert(
      { image_url: api.imageUrl, to_format: 'png' },
      { ...headers, 'idempotency-key': 'twice' },
    );
    expect(other.status).toBe(402);
    await release(api.ctx.db, { reference: first.body.request_id });
  });
});

it('bodies and uploads that are open count, and the next ones are a 429 that names the bound', async () => {
  const api = await startApi({
    ACCOUNT_RECEIVING_MB: '50',
    ACCOUNT_REQUESTS_MAX: '4',
    ACCOUNT_UPLOADS_MAX: '2',
    RATE_LIMIT_BURST: '100',
  });
  const held: ReadableStreamDefaultController[] = [];
  /** Sends a body that never ends by itself. */
  const open = (path: string, declaredBytes: number) => {
    const start = (controller: ReadableStreamDefaultController) => void held.push(controller);
    const request = new Request(`http://localhost/api${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(declaredBytes),
        authorization: `Bearer ${api.apiKey}`,
      },
      body: new ReadableStream({ start }),
      duplex: 'half',
    });
    return handleApi(api.ctx, request);
  };
  const getMessage = async (sent: Promise<Response>) => {
    const response = await sent;
    const { message } = JSON.parse(await response.text());
    return `${response.status} ${message}`;
  };
  try {
    const first = open('/v1/remove-bg', 30_000_000);
    // Whichever of the two is counted first, there is no room for both.
    const second = open('/v1/remove-bg', 30_000_000);
    expect(await getMessage(Promise.race([first, second]))).toMatch(/^429 Too many bytes .* 50 MB/);

    const uploads = [1, 2, 3].map(() => open('/uploads', 1_000));
    expect(await getMessage(Promise.race(uploads))).toMatch(
      /^429 2 uploads of this account are stored or arriving/,
    );

    const others = [1, 2].map(() => open('/v1/remove-bg', 1_000));
    expect(await getMessage(Promise.race(others))).toMatch(/^429 Too many requests in progress: at most 4/);
    for (const controller of held) controller.error(new Error('the client left'));
    await Promise.all([first, second, ...uploads, ...others]);
    // All of them have left: there is room again.
    expect((await api.convert({ image_url: api.imageUrl, to_format: 'png' })).status).toBe(202);
    expect(await api.ctx.db.$count(schema.uploads)).toBe(0);
  } finally {
    await api.close();
  }
});

it('files that are stored, and those that unfinished jobs will make, count for the storage allowance', async () => {
  const api = await startApi({ ACCOUNT_STORAGE_GB: '0.001', RATE_LIMIT_BURST: '100' });
  const large = await sharp({ create: { width: 2_000, height: 1_000, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const huge = await startHttpTarget((_request, response) => void response.end(large));
  try {
    const convert = () => api.convert({ image_url: `${huge.origin}/`, to_format: 'bmp' });
    expect((await convert()).status).toBe(202);
    const refusal = {
      status: 429,
      body: { message: expect.stringMatching(/^The files .* at most 0\.001 GB .* 96 hours after their job/) },
    };
    // The sum may be as old as the first request.
    await expect.poll(convert).toMatchObject(refusal);
    const { body } = await api.upload(Buffer.from('bytes'));
    expect(body).toEqual(problemBody('Too Many Requests', expect.stringContaining('0.001 GB')));

    for (const { id } of await api.ctx.db.select().from(schema.jobs)) {
      await abandonJob(api.ctx, id, OVERDUE);
    }
    await expect.poll(async () => (await convert()).status).toBe(202);
  } finally {
    await huge.stop();
    await api.close();
  }
});
