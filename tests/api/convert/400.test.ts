import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { count } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../server/base/database/db.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
});
afterAll(() => api.close());

// A rejected request leaves no job, no hold and no file.
afterEach(async () => {
  const [jobs] = await api.ctx.db.select({ n: count() }).from(schema.jobs);
  const [holds] = await api.ctx.db.select({ n: count() }).from(schema.holds);
  expect([jobs?.n, holds?.n]).toEqual([0, 0]);
  const incoming = await readdir(join(api.ctx.env.DATA_DIR, 'incoming')).catch(() => []);
  const stored = await readdir(join(api.ctx.env.DATA_DIR, 'storage', 'inputs')).catch(() => []);
  expect([...incoming, ...stored]).toEqual([]);
});

const png = () => api.imageUrl;
const BODIES: [string, () => unknown, RegExp][] = [
  [
    'image_url missing',
    () => ({ to_format: 'webp' }),
    /^image_url, image_b64: exactly one of them must be given/,
  ],
  ['to_format missing', () => ({ image_url: png() }), /^to_format: required, must be one of jpg, jpeg, png/],
  [
    'to_format outside the list',
    () => ({ image_url: png(), to_format: 'psd' }),
    /^to_format: must be one of/,
  ],
  ['quality 0', () => ({ image_url: png(), to_format: 'jpg', quality: 0 }), /^quality: must be at least 1/],
  [
    'quality 101',
    () => ({ image_url: png(), to_format: 'jpg', quality: 101 }),
    /^quality: must be at most 100/,
  ],
  [
    'quality as text',
    () => ({ image_url: png(), to_format: 'jpg', quality: '90' }),
    /^quality: must be a number/,
  ],
  [
    'keep_metadata as text',
    () => ({ image_url: png(), to_format: 'jpg', keep_metadata: 'yes' }),
    /^keep_metadata: must be a boolean/,
  ],
  ['an unknown field', () => ({ image_url: png(), to_format: 'jpg', size: 5 }), /^size: unknown field/],
  [
    'a crop outside of the image',
    () => ({ image_url: png(), to_format: 'jpg', crop: { x: 0, y: 0, width: 5000, height: 1 } }),
    /^crop: must lie within the image, which has \d+ x \d+ pixels/,
  ],
  [
    'a result that is too large',
    () => ({ image_url: png(), to_format: 'jpg', width: 16384, height: 16384, fit: 'fill', enlarge: true }),
    /^width: the result would have 16384 x 16384 pixels/,
  ],
  ['gravity without fit', () => ({ image_url: png(), to_format: 'jpg', gravity: 'north' }), /^gravity: /],
  [
    'image_url of another scheme',
    () => ({ image_url: 'file:///etc/passwd', to_format: 'jpg' }),
    /^image_url: must be an http/,
  ],
  [
    'image_url not a URL',
    () => ({ image_url: 'photo.png', to_format: 'jpg' }),
    /^image_url: must be an http/,
  ],
  [
    'image_url not found',
    () => ({ image_url: `${api.files.url}/none.png`, to_format: 'jpg' }),
    /^image_url: .*404/,
  ],
  [
    'image_url not an image',
    () => ({ image_url: `${api.files.url}/note.txt`, to_format: 'jpg' }),
    /^image_url: /,
  ],
  [
    'image_url at a private address',
    () => ({ image_url: 'http://10.0.0.1/a.png', to_format: 'jpg' }),
    /^image_url: /,
  ],
  [
    'image_url at the metadata address',
    () => ({ image_url: 'http://169.254.169.254/latest', to_format: 'jpg' }),
    /^image_url: /,
  ],
  ['a list for a body', () => [], /^body: must be a JSON object/],
  ['broken JSON', () => '{"image_url":', /^body: must be valid JSON/],
];

describe('POST /media-tools/v1/image-convert returns 400 naming the field', () => {
  it.each(BODIES)('%s', async (_name, body, message) => {
    const response = await api.convert(body());
    expect(response.status).toBe(400);
    expect(response.body).toEqual(problemBody('Bad Request', expect.stringMatching(message)));
  });

  it('another content type', async () => {
    const response = await api.convert('image_url=x', { 'content-type': 'text/plain' });
    expect(response.status).toBe(400);
    expect(response.body.message).toMatch(/^Content-Type: must be application\/json/);
  });

  it('a body above the limit, as 413', async () => {
    // Room for a file in base64 of 50 MB, and 1 MB for everything else.
    const response = await api.convert({ image_b64: 'x'.repeat(68_000_000), to_format: 'jpg' });
    expect([response.status, response.body.code]).toEqual([413, 'body_too_large']);
    expect(response.body.message).toMatch(/^body: must be at most/);
  });

  it.each(['ftp://example.com/hook', 'http://127.0.0.2:9/', 'http://[::1]/hook', 'nonsense'])(
    'X-Webhook-URL %s',
    async (url) => {
      const strict = { ...api.ctx, env: { ...api.ctx.env, FETCH_ALLOW_NETWORKS: [] } };
      const { handleApi } = await import('../../../server/api/api.ts');
      const response = await handleApi(
        strict,
        new Request('http://localhost:3000/api/media-tools/v1/image-convert', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'ocp-apim-subscription-key': api.apiKey,
            'x-webhook-url': url,
          },
          body: JSON.stringify({ image_url: png(), to_format: 'jpg' }),
        }),
      );
      expect(response.status).toBe(400);
      expect(JSON.parse(await response.text()).message).toMatch(/^X-Webhook-URL: /);
    },
  );

  it('an Idempotency-Key of 256 characters', async () => {
    const response = await api.convert({}, { 'idempotency-key': 'k'.repeat(256) });
    expect(response.status).toBe(400);
    expect(response.body.message).toMatch(/^Idempotency-Key: /);
  });
});

describe('POST /media-tools/v1/image-convert returns 400 Model not found', () => {
  it('when the operation is disabled', async () => {
    const disabled = {
      ...api.ctx,
      env: { ...api.ctx.env, DISABLED_MODELS: ['media-convert-image' as const] },
    };
    const { handleApi } = await import('../../../server/api/api.ts');
    const response = await handleApi(
      disabled,
      new Request('http://localhost:3000/api/media-tools/v1/image-convert', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'ocp-apim-subscription-key': api.apiKey },
        body: JSON.stringify({ image_url: png(), to_format: 'jpg' }),
      }),
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(
      problemBody('Model not found', "Model 'media-convert-image' not found or disabled"),
    );
  });
});
