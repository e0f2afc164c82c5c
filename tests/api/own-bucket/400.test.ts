import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const CONVERT = '/media-tools/v1/image-convert';
const EXTEND = '/image-outpaint/v1/image-outpaint-request';
const STEMS = '/audio-tools/v1/separate-stems';
const URL = 'http://127.0.0.1:9/object?signature=1';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
});
afterAll(async () => {
  expect(await api.ctx.db.$count(schema.jobs)).toBe(0);
  await api.close();
});

it.each<[string, string, object, RegExp]>([
  [
    'more URLs than files',
    CONVERT,
    { to_format: 'png', output_urls: [URL, URL] },
    /^output_urls: .*: 1 for this/,
  ],
  [
    'fewer URLs than images',
    EXTEND,
    { expand_left: 9, num_images: 3, output_urls: [URL] },
    /^output_urls: .*: 3 /,
  ],
  ['fewer URLs than stems', STEMS, { stems: 'four', output_urls: [URL, URL] }, /^output_urls: .*: 4 /],
  ['no URL in the list', CONVERT, { to_format: 'png', output_urls: [] }, /^output_urls: /],
  ['a URL of no bucket', CONVERT, { to_format: 'png', output_urls: ['ftp://a/b'] }, /^output_urls\[0\]: /],
  [
    'an address that is not public',
    CONVERT,
    { to_format: 'png', output_urls: ['http://169.254.169.254/x'] },
    /^output_urls\[0\]: must resolve to a public address/,
  ],
  [
    'a password in the URL',
    CONVERT,
    { to_format: 'png', output_urls: ['http://a:b@127.0.0.1/'] },
    /^output_urls\[0\]: /,
  ],
  ['store: false alone', CONVERT, { to_format: 'png', store: false }, /^store: .*output_urls/],
  [
    'moderation',
    '/content-safety/v1/image-moderation',
    { output_urls: [URL] },
    /^output_urls: unknown field/,
  ],
  ['a batch', `${CONVERT}/batch`, { items: [{}], output_urls: [URL] }, /^output_urls: unknown field/],
])('output_urls return 400 naming the field for %s', async (_name, path, fields, message) => {
  const isBatch = 'items' in fields;
  const field = path === STEMS ? 'audio_url' : 'image_url';
  const response = await api.post(path, {
    ...(!isBatch && { [field]: `${api.files.url}/subject.png` }),
    ...fields,
  });
  expect(response.status).toBe(400);
  expect(response.body.message).toMatch(message);
  expect(message.source).toContain(String(response.body.field).replace('[0]', ''));
});

it('an item of a batch has no separate output_urls', async () => {
  const items = [{ image_url: api.imageUrl, to_format: 'png', output_urls: [URL] }];
  const { body } = await api.post(`${CONVERT}/batch`, { items });
  const [row] = await api.ctx.db.select().from(schema.batchItems);
  expect(row?.outcome).toMatchObject({ status: 'failed', field: 'items[0].output_urls' });
  await api.ctx.db.delete(schema.batchItems);
  await api.ctx.db.delete(schema.jobs);
  expect(body.request_id).toBeDefined();
});
