import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../../clients/typescript/src/cli/main.ts';
import { verifyReceipt } from '../../../clients/typescript/src/signatures.ts';
import { WEIGHTS } from '../../../models/registry.ts';
import { isApiTarget } from '../../../server/api/api.ts';
import { serveResult } from '../../../server/api/results-listener.ts';
import { schema } from '../../../server/base/database/db.ts';
import { addReceiptKey } from '../../../server/money/receipts.ts';
import { createTestTerminal } from '../../support/clients/test-terminal.ts';
import { type Bucket, startBucket } from '../../support/servers/bucket.ts';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';
import { createConformanceCheck } from '../../support/service/conformance.ts';

const JWKS = '/.well-known/jwks.json';

let api: TestApi;
let bucket: Bucket;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'receipts-'));
  bucket = await startBucket();
  api = await startApi({ RATE_LIMIT_BURST: '1000', MODELS_OFFLINE: '1' });
  await api.startRunner();
});
afterAll(async () => {
  await api.close();
  await bucket.close();
  await rm(folder, { recursive: true, force: true });
});

const subject = () => `${api.files.url}/subject.png`;
const keys = async () => (await api.call('GET', JWKS)).body;
const getSha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function openFile(url: string): Promise<Buffer> {
  const response = await serveResult(api.ctx, new Request(url));
  return Buffer.from(await response.arrayBuffer());
}

async function convert(body: object = {}) {
  const request = { image_url: subject(), to_format: 'webp', ...body };
  const { request_id } = (await api.convert(request)).body;
  return await api.ended(request_id);
}

describe('GET /.well-known/jwks.json returns 200', () => {
  it('with an Ed25519 key, of the origin and of the API', async () => {
    const response = await api.call('GET', JWKS);
    const getFaults = await createConformanceCheck(api);
    expect(getFaults('GET', JWKS, response)).toEqual([]);
    expect(response.body.keys).toEqual([
      {
        kty: 'OKP',
        crv: 'Ed25519',
        use: 'sig',
        alg: 'EdDSA',
        kid: expect.stringMatching(/^[\w-]{43}$/),
        x: expect.stringMatching(/^[\w-]{43}$/),
      },
    ]);
    expect((await api.call('GET', `/api${JWKS}`)).body).toEqual(response.body);
    expect([JWKS, `${JWKS}?a=1`, '/.well-known/other'].map(isApiTarget)).toEqual([true, true, false]);
  });

  it('with every key that ever signed, also where the first one is asked for by several at once', async () => {
    const [first, second] = await Promise.all([keys(), keys()]);
    expect(first).toEqual(second);
    const job = await convert();
    await addReceiptKey(api.ctx.db);
    const all = await keys();
    expect(all.keys).toHaveLength(2);
    expect(all.keys[1]).toEqual(first.keys[0]);
    expect(await verifyReceipt(job.receipt, all)).toMatchObject({ request_id: job.request_id });
  });
});

describe('the receipt of a job', { timeout: 120_000 }, () => {
  it('states what was done, and verifies by command with the result and the input', async () => {
    const body = { image_url: subject(), engine: 'matte' };
    const { request_id, output_url } = (await api.removeBg(body)).body;
    const { body: job } = await api.status(request_id);
    const [header] = String(job.receipt).split('.');
    const { keys: known } = await keys();
    expect(JSON.parse(String(Buffer.from(header ?? '', 'base64url')))).toEqual({
      alg: 'EdDSA',
      kid: expect.toBeOneOf(known.map(({ kid }: { kid: string }) => kid)),
      typ: 'darkroom-receipt+jwt',
    });
    const [input, output] = [await drawRedBall(), await openFile(output_url)];
    const card = WEIGHTS.find(({ id }) => id === 'matte');
    expect(await verifyReceipt(job.receipt, await keys())).toEqual({
      iss: api.ctx.env.PUBLIC_URL,
      request_id,
      model_id: 'remove-bg',
      engine: job.engine,
      weights: [{ id: 'matte', sha256: card?.sha256 }],
      params: expect.objectContaining({ engine: 'matte', background: 'transparent' }),
      inputs: [{ name: 'input', sha256: getSha256(input), bytes: input.length }],
      outputs: [{ name: expect.stringMatching(/\.png$/), sha256: getSha256(output), bytes: output.length }],
      charged_usd: '0.01',
      created_at: job.created_at,
      completed_at: job.completed_at,
    });
    await writeFile(join(folder, 'job.json'), JSON.stringify(job));
    await writeFile(join(folder, 'keys.json'), JSON.stringify(await keys()));
    await writeFile(join(folder, 'result.png'), output);
    await writeFile(join(folder, 'changed.png'), Buffer.concat([output, Buffer.from('a')]));
    await writeFile(join(folder, 'input.png'), input);
    const verify = (file: string, receipt = 'job.json') => {
      const user = createTestTerminal({ cwd: folder });
      return main(['verify', receipt, file, '--keys', 'keys.json'], user);
    };
    expect(await verify('result.png')).toBe(0);
    expect(await verify('input.png', job.receipt)).toBe(0);
    expect(await verify('changed.png')).toBe(1);
  });

  it('names the files of a batch by their items, and one that went to a bucket', {
    tags: ['long'],
  }, async () => {
    const items = [
      { image_url: subject() },
      { image_url: subject() },
      { image_url: subject(), to_format: 'png' },
    ];
    const { body } = await api.post('/media-tools/v1/image-convert/batch', { items, to_format: 'webp' });
    const batch = await api.ended(body.request_id);
    const receipt = await verifyReceipt(batch.receipt, await keys());
    expect(receipt.inputs.map(({ name }) => name)).toEqual(['items[0].input', 'items[2].input']);
    expect(receipt.outputs.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^items\[0\]\..*webp$/),
      expect.stringMatching(/^items\[2\]\..*png$/),
    ]);
    const url = bucket.presign();
    const own = await convert({ output_urls: [url], store: false, quality: 50 });
    const { outputs } = await verifyReceipt(own.receipt, await keys());
    const put = bucket.received.at(-1);
    expect(outputs.map(({ sha256 }) => sha256)).toEqual([getSha256(put?.body ?? Buffer.alloc(0))]);
  });

  it('is null before the end and after a failure, and missing in the list', async () => {
    const { upload_url } = (await api.upload(new Uint8Array((await drawRedBall()).subarray(0, 300)))).body;
    expect(await convert({ image_url: upload_url })).toMatchObject({ status: 'FAILED', receipt: null });
    const headers = { authorization: `Bearer ${api.apiKey}` };
    const { body } = await api.call('GET', '/api/v2/requests', { headers });
    expect(body.requests[0]).not.toHaveProperty('receipt');
    const stored = await api.ctx.db.select({ receipt: schema.jobs.receipt }).from(schema.jobs);
    expect(stored.filter(({ receipt }) => receipt === null)).toHaveLength(1);
  });
});
