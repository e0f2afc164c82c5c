import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isTerminal } from '../../../models/core/operation/job.ts';
import { schema } from '../../../server/base/database/db.ts';
import { openSandbox } from '../../../server/identity/accounts/index.ts';
import { issueKey } from '../../../server/identity/keys/index.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { type Bucket, startBucket } from '../../support/servers/bucket.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';
import { createOwnWorker, DONE, getDigest } from '../../support/service/own-worker.ts';

/** Features that a request may combine. */
const FEATURES = [
  'cache',
  'no-cache',
  'batch',
  'test key',
  'limited key',
  'token',
  'idempotency',
  'own bucket',
  'self-hosted worker',
  'upload',
] as const;
type Feature = (typeof FEATURES)[number];
type Features = ReadonlySet<Feature>;
type Headers = Record<string, string>;

/** Report of a worker that cut the ball out. */
const CUT_OUT = {
  ...DONE,
  engine: 'matte',
  details: { original_size: '160x120', subjects_detected: 1, matte_quality: 'high' },
};
/** Price of a cutout, in millionths of a US dollar. */
const PRICE = 10_000n;
/** Pairs that `npm test` keeps, one of each kind of outcome. */
const QUICK: readonly string[] = [
  'cache + no-cache',
  'cache + token',
  'cache + own bucket',
  'batch + limited key',
  'batch + own bucket',
  'test key + self-hosted worker',
  'token + self-hosted worker',
  'idempotency + upload',
];

let api: TestApi;
let bucket: Bucket;
let hooks: WebhookReceiver;
let sandboxId: string;
let cases = 0;
beforeAll(async () => {
  bucket = await startBucket();
  hooks = await startWebhookReceiver();
  api = await startApi({ RATE_LIMIT_BURST: '10000', MODELS_OFFLINE: '1' }, '5');
  sandboxId = await openSandbox(api.ctx.db, api.accountId);
  await api.startRunner();
});
afterAll(async () => {
  expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
  await api.close();
  await hooks.close();
  await bucket.close();
});

const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` });
const call = (method: string, path: string, headers: Headers, body?: unknown) =>
  api.call(method, `/api${path}`, { headers, ...(body !== undefined && { body }) });

/** Makes the key of a request, or a token of it. */
async function makeKey(features: Features): Promise<Headers> {
  const accountId = features.has('test key') ? sandboxId : api.accountId;
  const isLimited = features.has('limited key');
  const limits = isLimited ? { operations: ['remove-bg', 'remove-bg-batch'], monthlyCap: 100_000n } : {};
  const { apiKey } = await issueKey(api.ctx.db, { accountId, name: 'crossing', ...limits });
  if (!features.has('token')) return bearer(apiKey);
  const { body } = await call('POST', '/v2/tokens', bearer(apiKey), {
    max_usd: '0.10',
    expires_in_seconds: 60,
  });
  return bearer(body.token);
}

/** Returns the refusal that a combination meets; undefined where its parts can meet. */
function findRefusal(features: Features): { status: number; field: string } | undefined {
  if (features.has('batch') && features.has('own bucket')) return { status: 400, field: 'output_urls' };
  if (features.has('token') && features.has('self-hosted worker')) return { status: 403, field: 'run_on' };
  return undefined;
}

/** Builds a request that no other case repeats: the colour is its own. */
async function buildRequest(features: Features, key: Headers) {
  cases += 1;
  const background = `#${cases.toString(16).padStart(6, '0')}`;
  const upload = async () => {
    const sent = await call('POST', '/uploads', { ...key, 'content-type': 'image/png' }, await drawRedBall());
    return sent.body.upload_url;
  };
  const image_url = features.has('upload') ? await upload() : `${api.files.url}/subject.png`;
  const target = bucket.presign();
  const body = {
    ...(features.has('batch')
      ? { items: [{ image_url }, { image_url, subject: 'primary' }] }
      : { image_url }),
    background,
    reference: `case ${cases}`,
    ...(features.has('self-hosted worker') && { run_on: 'own' }),
    ...(features.has('own bucket') && { output_urls: [target] }),
  };
  return { body, target };
}

/** Runs a job on a machine of the account. */
async function serveOwn(id: string): Promise<void> {
  const worker = createOwnWorker(api);
  const { body } = await worker.claim();
  expect(body.request_id).toBe(id);
  const bytes = await drawRedBall();
  for (const { position } of body.runs) {
    const query = `position=${position}&file=0&name=output.png`;
    const sent = await call(
      'POST',
      `/v2/worker/claims/${body.claim_id}/files?${query}`,
      { ...worker.key, 'content-type': 'image/png', 'content-digest': getDigest(bytes) },
      bytes,
    );
    expect(sent.status).toBe(201);
    expect((await worker.post(body.claim_id, 'report', { ...CUT_OUT, position })).status).toBe(200);
  }
}

/** Sends the request of a combination, waits for its job, and compares it with what its parts promise. */
async function check(names: readonly Feature[]): Promise<void> {
  const features: Features = new Set(names);
  const key = await makeKey(features);
  const { body, target } = await buildRequest(features, key);
  const path = `/v1/remove-bg${features.has('batch') ? '/batch' : ''}`;
  const isTest = features.has('test key');
  const isOwn = features.has('self-hosted worker') && !isTest;
  const count = features.has('batch') ? 2 : 1;
  const send = (more: Headers) => call('POST', path, { ...key, prefer: 'respond-async', ...more }, body);
  const finish = async (id: string) => {
    if (isOwn) await serveOwn(id);
    return await awaitEnd(id, key);
  };

  const refusal = findRefusal(features);
  if (refusal) {
    const { status, body: problem } = await send({});
    expect({ status, field: problem.field }).toEqual(refusal);
    return;
  }
  // A result that is there already: that of the same request.
  if (features.has('cache')) await finish((await send({})).body.request_id);
  const balance = await spent();
  const arrived = hooks.received.length;
  const own: Headers = {
    ...(features.has('token') ? {} : { 'x-webhook-url': hooks.url }),
    ...(features.has('no-cache') && { 'cache-control': 'no-cache' }),
    ...(features.has('idempotency') && { 'idempotency-key': `crossing ${cases}` }),
  };
  const first = await send(own);
  const id = first.body.request_id;
  const job = await finish(id);

  const isHit = features.has('cache') && !features.has('no-cache') && !isOwn;
  const isFree = isHit || isTest || isOwn;
  expect(job).toMatchObject({
    request_id: id,
    status: 'COMPLETED',
    model_id: features.has('batch') ? 'remove-bg-batch' : 'remove-bg',
    test: isTest,
    run_on: isOwn ? 'own' : 'service',
    reference: `case ${cases}`,
    // Of a batch, each item says so itself.
    cached: isHit && !features.has('batch'),
  });
  const price = isFree ? 0n : PRICE * BigInt(count);
  expect(await spent()).toBe(balance + price);
  expect(Number(job.billing.charged_usd)).toBe(Number(price) / 1e6);
  if (features.has('batch')) {
    for (const item of job.output.items) {
      expect(item).toMatchObject({ status: 'success', cached: isHit });
      expect(Number(item.charged_usd)).toBe(isFree ? 0 : 0.01);
    }
  }
  // Files of this request alone, which its key may see.
  expect(job.output.files).toHaveLength(count);
  for (const file of job.output.files) {
    expect(file).toMatchObject({ bytes: expect.any(Number), sha256: expect.stringMatching(/^[\da-f]{64}$/) });
    expect(file.url).toContain(`/cdn/${id}/`);
  }
  expect(bucket.received.filter((put) => target.endsWith(put.path))).toHaveLength(
    features.has('own bucket') ? (features.has('cache') ? 2 : 1) : 0,
  );
  const list = await call('GET', `/v2/requests?reference=${encodeURIComponent(body.reference)}`, key);
  const listed = list.body.requests.map((each: { request_id: string }) => each.request_id);
  expect(listed[0]).toBe(id);
  expect(listed).toHaveLength(features.has('cache') ? 2 : 1);
  // One webhook: the job itself.
  if (features.has('token')) expect((await send({ 'x-webhook-url': hooks.url })).status).toBe(403);
  else {
    await hooks.until(arrived + 1);
    expect(JSON.parse(hooks.received[arrived]?.body ?? '')).toEqual(job);
  }
  if (features.has('idempotency')) {
    const again = await send(own);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.request_id).toBe(id);
    expect(await spent()).toBe(balance + price);
  }
  const deliveries = await api.ctx.db
    .select()
    .from(schema.deliveries)
    .where(eq(schema.deliveries.reference, id));
  expect(deliveries).toHaveLength(features.has('token') ? 0 : 1);
}

/** Waits for the end of a job, as its own key sees it. */
async function awaitEnd(id: string, key: Headers) {
  for (;;) {
    const { body } = await call('GET', `/v2/requests/status/${id}`, { ...key, prefer: 'wait=2' });
    if (isTerminal(body.status)) return body;
  }
}

const spent = async () => 5_000_000n - (await readBalance(api.ctx.db, api.accountId)).balance;

const PAIRS = FEATURES.flatMap((one, at) => FEATURES.slice(at).map((other) => [...new Set([one, other])]));
const isQuick = (names: readonly Feature[]) => QUICK.includes(names.join(' + '));

it.each(PAIRS.filter(isQuick).map((names) => [names.join(' + '), names] as const))(
  'a request with %s has the job, price, webhook and files of both',
  async (_name, names) => await check(names),
);

it.each(PAIRS.filter((names) => !isQuick(names)).map((names) => [names.join(' + '), names] as const))(
  'a request with %s has the job, price, webhook and files that its parts promise',
  { tags: ['long'] },
  async (_name, names) => await check(names),
);
