import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { handleApi } from '../../../server/api/api.ts';
import { schema } from '../../../server/base/database/db.ts';
import { imageFixture } from '../../support/media/images.ts';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
});
afterAll(() => api.close());

// A rejected request leaves no job, no hold and no file.
afterEach(async () => {
  const { db, env } = api.ctx;
  expect([await db.$count(schema.jobs), await db.$count(schema.holds)]).toEqual([0, 0]);
  const left = ['incoming', 'storage/inputs'].map((name) =>
    readdir(join(env.DATA_DIR, name)).catch(() => []),
  );
  expect(await Promise.all(left)).toEqual([[], []]);
});

const getBase64 = async (file: Blob) => Buffer.from(await file.arrayBuffer()).toString('base64');
const picture = () => `${api.files.url}/subject.png`;
const wide = sharp({ create: { width: 8001, height: 1, channels: 3, background: 'red' } });
const MUST_BE_BASE64 = /^image_b64: must be base64, raw or as a data: URI, and not empty\.$/;

const BODIES: [string, () => unknown, RegExp][] = [
  ['no input', () => ({}), /^image_url, image_b64, video_url: exactly one of them must be given\.$/],
  [
    'two inputs',
    async () => ({ image_url: picture(), image_b64: (await drawRedBall()).toString('base64') }),
    /exactly one of them must be given/,
  ],
  ['empty base64', () => ({ image_b64: '' }), /^image_b64: must be at least 1 character long/],
  ['an empty data URI', () => ({ image_b64: 'data:image/png;base64,' }), MUST_BE_BASE64],
  ['invalid base64', () => ({ image_b64: 'not*base64' }), MUST_BE_BASE64],
  ['base64 of an impossible length', () => ({ image_b64: 'abcde' }), MUST_BE_BASE64],
  ['a data URI that is not base64', () => ({ image_b64: 'data:image/png,abcd' }), MUST_BE_BASE64],
  [
    'base64 of a text',
    () => ({ image_b64: 'aGVsbG8gd29ybGQh' }),
    /^image_b64: The image has an unknown format/,
  ],
  [
    'a HEIC file',
    async () => ({ image_b64: await getBase64(await imageFixture('fading.heic')) }),
    /^image_b64: The image has the format HEIC, which is not supported here. Send a JPG, PNG, WebP or BMP file\.$/,
  ],
  [
    'a GIF file',
    async () => ({ image_b64: (await drawRedBall('gif')).toString('base64') }),
    /^image_b64: The image has the format GIF/,
  ],
  [
    'a side of more than 8000 pixels',
    async () => ({ image_b64: (await wide.png().toBuffer()).toString('base64') }),
    /^image_b64: The image has 8001 x 1 pixels\. At most 8000 x 8000 are allowed\.$/,
  ],
  ['image_url not found', () => ({ image_url: `${api.files.url}/none.png` }), /^image_url: .*404/],
  ['image_url of another scheme', () => ({ image_url: 'file:///etc/passwd' }), /^image_url: must be an http/],
  ['an unknown field', () => ({ image_url: picture(), colour: 'full' }), /^colour: unknown field/],
  [
    'another format',
    () => ({ image_url: picture(), output_format: 'gif' }),
    /^output_format: must be one of png/,
  ],
  [
    'another background',
    () => ({ image_url: picture(), background: 'blurple' }),
    /^background: must be transparent/,
  ],
  [
    'a background that is not found',
    () => ({ image_url: picture(), background: `${api.files.url}/none.png` }),
    /^background: .*404/,
  ],
  [
    'a background that is not an image',
    () => ({ image_url: picture(), background: `${api.files.url}/note.txt` }),
    /^background: The image has an unknown format/,
  ],
  [
    'a background at a private address',
    () => ({ image_url: picture(), background: 'http://10.0.0.1/a.png' }),
    /^background: must resolve to a public address/,
  ],
];

describe('POST /v1/remove-bg returns 400 naming the field', () => {
  it.each(BODIES)('%s', async (_name, body, message) => {
    const response = await api.removeBg(await body());
    expect(response.status).toBe(400);
    expect(response.body).toEqual(problemBody('Bad Request', expect.stringMatching(message)));
  });

  it('more than 25 MB in base64', async () => {
    const text = await api.removeBg({ image_b64: 'A'.repeat(33_333_800) });
    expect(text).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^image_b64: must be at most/) },
    });
    const bytes = await api.removeBg({ image_b64: 'A'.repeat(33_333_400) });
    expect(bytes.body.message).toBe('image_b64: must be at most 25000000 bytes.');
    const body = await api.removeBg({ image_b64: 'A'.repeat(34_400_000) });
    expect(body.body.message).toMatch(/^body: must be at most 34333336 bytes/);
  });
});

it('POST /v1/remove-bg returns 400 Model not found when it is disabled', async () => {
  const disabled = { ...api.ctx, env: { ...api.ctx.env, DISABLED_MODELS: ['remove-bg' as const] } };
  const request = new Request('http://localhost:3000/api/v1/remove-bg', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${api.apiKey}` },
    body: JSON.stringify({ image_url: picture() }),
  });
  const response = await handleApi(disabled, request);
  expect([response.status, await response.json()]).toEqual([
    400,
    problemBody('Model not found', "Model 'remove-bg' not found or disabled"),
  ]);
});
