import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { requestSchema } from '../../../models/core/operation/request.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { schema } from '../../../server/base/database/db.ts';
import { claimJob, completeJob } from '../../../server/jobs/index.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

/** Bytes that may be stored for a refused request or item. */
const STORED_BYTES_MAX = 500;

let api: TestApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

async function start(environment: Record<string, string> = {}, creditUsd?: string): Promise<TestApi> {
  api = await startApi(environment, creditUsd);
  return api;
}

/** Fields that no operation knows, with so many bytes of names. */
const unknownFields = (bytes: number, name = 'x'.repeat(996)) =>
  Object.fromEntries(Array.from({ length: bytes / 1000 }, (_, at) => [`${1000 + at}${name}`, 0]));

it('refused items with megabytes of unknown fields store and send a short message each', async () => {
  const api = await start();
  const items = Array.from({ length: 20 }, () => unknownFields(100_000));
  const webhook = { 'x-webhook-url': `${api.files.url}/photo.png` };
  const { status, body } = await api.removeBgBatch({ items }, webhook);
  expect(status).toBe(202);
  const rows = await api.ctx.db.select().from(schema.batchItems);
  expect(rows).toHaveLength(20);
  for (const { outcome } of rows) {
    expect(outcome).toEqual({
      status: 'failed',
      error: expect.stringMatching(/^1000x{95}…: unknown field\. Remove it or correct its name\.$/),
      code: 'bad_request',
      field: expect.stringMatching(/^items\[\d+\]\.1000x{95}…$/),
    });
  }
  const claim = await claimJob(api.ctx.db, body.request_id);
  if (!claim) throw new Error('the job has ended already');
  expect(await completeJob(api.ctx, claim, { files: [], engine: '', warnings: [] })).toBe(true);
  const [delivery] = await api.ctx.db.select().from(schema.deliveries);
  expect(delivery?.body.length).toBeLessThan((items.length + 1) * STORED_BYTES_MAX);
});

it.each([
  ['an unknown name', () => unknownFields(1_000_000)],
  ['a name that cannot be stored', () => unknownFields(1_000_000, '\0'.repeat(996))],
  [
    'a name of many fields',
    () => ({ a: { [`${'b'.repeat(500_000)}`]: { [`${'c'.repeat(400_000)}`]: '\0' } } }),
  ],
  ['a long name, cut within a character', () => ({ ['x'.repeat(98) + '😀'.repeat(50_000)]: 0 })],
])('a request with %s of a megabyte is a 400 that is stored in few bytes', async (_, fields) => {
  const api = await start();
  const response = await api.removeBg(fields(), { 'idempotency-key': 'once' });
  expect(response.status).toBe(400);
  expect(response.body.message).toMatch(/: (unknown field|must contain no NUL)/);
  expect(response.body.message.isWellFormed()).toBe(true);
  const [row] = await api.ctx.db.select().from(schema.idempotencyKeys);
  expect(row?.responseBody?.length).toBeLessThan(STORED_BYTES_MAX);
});

it('refused items count as failures, and too many of them are refused for a while', async () => {
  const api = await start({ FAILURES_PER_HOUR: '20' });
  const send = async (length: number) =>
    (await api.removeBgBatch({ items: Array.from({ length }, () => ({ nonsense: 1 })) })).status;
  expect(await send(15)).toBe(202);
  expect(await send(15)).toBe(202);
  expect(await send(1)).toBe(429);
  expect(await api.ctx.db.$count(schema.batchItems)).toBe(30);
  expect((await api.convert({ image_url: api.imageUrl, to_format: 'png' })).status).toBe(429);
});

it('refused items of a batch that is a 402 count, too', async () => {
  const api = await start({ FAILURES_PER_HOUR: '2' }, '0.01');
  const item = { image_url: api.imageUrl };
  // Both of the others are priced after it: they are staged, it is not.
  expect((await api.removeBgBatch({ items: [{}, {}, item, { ...item, subject: 'primary' }] })).status).toBe(
    402,
  );
  expect((await api.removeBgBatch({ items: [item] })).status).toBe(429);
});

it.each(Object.values(OPERATIONS))('every text in a request for $id has a longest length', (operation) => {
  const texts: unknown[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node && node.type === 'string' && !('enum' in node) && !('const' in node)) texts.push(node);
    for (const member of Object.values(node)) visit(member);
  };
  visit(z.toJSONSchema(requestSchema(operation), { io: 'input' }));
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) expect(text).toHaveProperty('maxLength');
});

it('no message of an error grows with what it is about', () => {
  const { message } = new OperationError('bad_request', `${'x'.repeat(998)}${'😀'.repeat(1000)}`);
  expect(message).toBe(`${'x'.repeat(998)}…`);
  expect(new OperationError('bad_request', 'x'.repeat(1000)).message).toBe('x'.repeat(1000));
});
