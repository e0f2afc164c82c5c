import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveFiles } from '../../../lab/support/file-server.ts';
import { schema } from '../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const HOUR_MS = 3_600_000;
const TEXTS = { 'a NUL': '\0', 'a lone surrogate': '\ud800' } as const;

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

async function storedInputs(): Promise<string[]> {
  const keys: string[] = [];
  const before = new Date(Date.now() + HOUR_MS);
  for await (const key of api.ctx.storage.list('inputs/', before)) keys.push(key);
  return keys;
}

describe.each(Object.entries(TEXTS))('a request with %s is a 400 that names the field', (_, text) => {
  it.each([
    ['background', { background: `http://127.0.0.1/${text}` }],
    ['image_url', { image_url: `http://127.0.0.1/${text}` }],
    ['image_url', { image_url: `http://localhost:3000/api/uploads/a${text}` }],
    ['image_b64', { image_url: undefined, image_b64: `iVBO${text}` }],
  ])('in %s, and leaves no file behind', async (field, fields) => {
    const response = await api.removeBg({ image_url: api.imageUrl, ...fields });
    expect(response).toMatchObject({
      status: 400,
      body: { error: 'Bad Request', message: expect.stringMatching(`^${field}: must contain no NUL`) },
    });
    expect(await storedInputs()).toEqual([]);
  });

  it('in the token of an upload, with an Idempotency-Key', async () => {
    const image_url = `http://localhost:3000/api/uploads/a${text}`;
    const headers = { 'idempotency-key': text === '\0' ? 'nul' : 'surrogate' };
    expect(await api.removeBg({ image_url }, headers)).toMatchObject({
      status: 400,
      body: { field: 'image_url' },
    });
  });

  it('in the name of a field', async () => {
    const response = await api.convert({ image_url: api.imageUrl, to_format: 'png', [`x${text}`]: 1 });
    expect(response).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^x\ufffd: must contain no NUL/) },
    });
  });

  it('in a list within a field', async () => {
    const response = await api.convert({ image_url: [1, { b: ['', text] }], to_format: 'png' });
    expect(response).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^image_url\[1\]\.b\[1\]: must contain no NUL/) },
    });
  });

  it('next to the items of a batch', async () => {
    const background = `http://127.0.0.1/${text}`;
    const response = await api.removeBgBatch({ items: [{ image_url: api.imageUrl }], background });
    expect(response).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^background: must contain no NUL/) },
    });
  });

  it('fails its own item of a batch alone', async () => {
    const items = [
      { image_url: `http://127.0.0.1/${text}` },
      { image_url: api.imageUrl, background: text },
      { image_url: api.imageUrl, [text]: 1 },
      { image_url: api.imageUrl },
    ];
    const { status, body } = await api.removeBgBatch({ items });
    expect(status).toBe(202);
    const settled = await api.ctx.db.select().from(schema.batchItems).orderBy(schema.batchItems.position);
    expect(settled.map(({ jobId, position, outcome }) => [jobId, position, outcome.status])).toEqual([
      [body.request_id, 0, 'failed'],
      [body.request_id, 1, 'failed'],
      [body.request_id, 2, 'failed'],
    ]);
    for (const { outcome } of settled) expect(outcome.error).toMatch(/: must contain no NUL/);
    const kept = await api.ctx.db.select().from(schema.files);
    expect((await storedInputs()).toSorted()).toEqual(kept.map(({ key }) => key).toSorted());
    // The next test starts with an empty store.
    for (const { key } of kept) await api.ctx.storage.delete(key);
    await api.ctx.db.delete(schema.batchItems);
    await api.ctx.db.delete(schema.files);
  });
});

it('a file whose URL has a NUL in its name is converted under another name', async () => {
  const photo = new Uint8Array(await (await fetch(api.imageUrl)).arrayBuffer());
  const files = await serveFiles({ '/a%00b.png': photo });
  try {
    const { status, body } = await api.convert({ image_url: `${files.url}/a%00b.png`, to_format: 'webp' });
    expect([status, body.message]).toEqual([202, undefined]);
    const [input] = await api.ctx.db
      .select()
      .from(schema.files)
      .where(eq(schema.files.jobId, body.request_id));
    expect(input?.fileName).toBe('a_b.png');
  } finally {
    await files.close();
  }
});
