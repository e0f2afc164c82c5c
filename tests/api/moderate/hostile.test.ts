import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { serveFiles } from '../../../lab/support/file-server.ts';
import { listProcessTree } from '../../../lab/support/process-tree.ts';
import { readBalance, reconcileBalances } from '../../../server/money/wallet/index.ts';
import { sharedData } from '../../support/media/shared-data.ts';
import { startHttpTarget } from '../../support/servers/http-target.ts';
import { type ApiResponse, startApi, type TestApi } from '../../support/service/api.ts';

const PATH = '/content-safety/v1/image-moderation';
const PRICE = 2_000n;
const BYTES_MAX = 4_000_000;
const FIXTURES = resolve(import.meta.dirname, '../../fixtures/images');
const HOSTILE = sharedData('data/convert/hostile');
const HOSTILE_NAMES = HOSTILE.isMissing ? ['every file'] : readdirSync(HOSTILE.path).sort();
/**
 * Files with harmless faults, in metadata or in what follows the pixels, such as a missing end marker; all others
 * cannot be judged.
 */
const JUDGED = new Set([
  'imagepng_gama-srgb-order-issue_304.png',
  'libavif_sofa_grid1x5_420_dimg_repeat.avif',
  'libavif_unsupported_gainmap_version.avif',
  'pillow_broken_exif_dpi.jpg',
  'pillow_hopper_bad_exif.jpg',
  'pillow_truncated_exif_dpi.jpg',
  'pillow_truncated_jpeg.jpg',
]);

let api: TestApi;
let ownBefore: ReadonlySet<number>;
const wallet = () => readBalance(api.ctx.db, api.accountId);
/** Lists the processes below this one, but not the compiler, which tests keep. */
async function children(): Promise<number[]> {
  const below = (await listProcessTree(process.pid)).map(({ pid }) => pid);
  const names = await Promise.all(below.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')));
  return below.filter((_pid, at) => names[at]?.trim() !== 'esbuild');
}

beforeAll(async () => {
  ownBefore = new Set(await children());
  api = await startApi({ RATE_LIMIT_BURST: '1000' });
  await api.startRunner();
});
afterAll(async () => {
  expect(await reconcileBalances(api.ctx.db)).toEqual({ ok: true, faults: [] });
  await api.close();
  const left = async () => (await children()).filter((pid) => !ownBefore.has(pid));
  await vi.waitFor(async () => expect(await left()).toEqual([]), 60_000);
});

let charged = 0n;
let balanceBefore = 0n;
beforeEach(async () => {
  charged = 0n;
  ({ balance: balanceBefore } = await wallet());
});
afterEach(async () => {
  expect(await wallet()).toMatchObject({ balance: balanceBefore - charged, held: 0n });
});

/** Requests a verdict and checks what holds for every response; the test's end checks what was charged. */
async function judge(body: object): Promise<ApiResponse> {
  const response = await api.post(PATH, { ...body, categories: ['Sexual'] });
  if (response.status === 200) {
    charged += PRICE;
    expect(response.body.categories).toEqual([{ category: 'Sexual', severity: expect.any(Number) }]);
  } else {
    expect(response.body).toMatchObject({
      error: 'Unprocessable Entity',
      message: expect.stringMatching(/\w.*\.$/),
      code: expect.stringMatching(/^(too_large|unsupported|unprocessable)$/),
    });
  }
  return response;
}

/** Sends one file both by URL and as base64. */
async function judgeBothWays(
  bytes: Uint8Array,
  mediaType = 'image/png',
): Promise<[ApiResponse, ApiResponse]> {
  const server = await serveFiles({ '/file': bytes }, mediaType);
  try {
    const byUrl = await judge({ image_url: `${server.url}/file` });
    return [byUrl, await judge({ image_b64: Buffer.from(bytes).toString('base64') })];
  } finally {
    await server.close();
  }
}

const grey = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#808080' } });

/** Returns a PNG with zero bytes behind its end. */
async function paddedTo(size: number): Promise<Buffer> {
  const png = await grey(60, 60).png().toBuffer();
  return Buffer.concat([png, Buffer.alloc(size - png.length)]);
}

async function pngThatSays(width: number, height: number): Promise<Buffer> {
  const png = await grey(64, 64).png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

const fixture = (name: string) => readFile(resolve(FIXTURES, name));
const truncated = async (bytes: Promise<Buffer>, share: number) => {
  const whole = await bytes;
  return whole.subarray(0, Math.floor(whole.length * share));
};
const lemur = () => readFile('public/samples/lemur.jpg');

const ODD: readonly [name: string, status: 200 | 422, message: RegExp, bytes: () => Promise<Uint8Array>][] = [
  ['50 x 50 pixels', 200, /./, () => grey(50, 50).png().toBuffer()],
  ['49 pixels in width', 422, /49 x 50/, () => grey(49, 50).png().toBuffer()],
  ['49 pixels in height', 422, /50 x 49/, () => grey(50, 49).png().toBuffer()],
  ['2048 x 2048 pixels', 200, /./, () => grey(2048, 2048).png().toBuffer()],
  ['2049 pixels in width', 422, /2049 x 50/, () => grey(2049, 50).png().toBuffer()],
  ['2049 pixels in height', 422, /50 x 2049/, () => grey(50, 2049).png().toBuffer()],
  ['exactly 4 MB', 200, /./, () => paddedTo(BYTES_MAX)],
  ['4 MB and one byte', 422, /4,?000,?000 bytes/, () => paddedTo(BYTES_MAX + 1)],
  ['an animated GIF', 200, /./, () => animatedGif()],
  ['a JPEG with damaged metadata', 200, /./, () => jpegWithBadExif()],
  ['a truncated JPEG', 422, /./, () => truncated(lemur(), 0.5)],
  ['a truncated PNG', 422, /./, () => truncated(lemurPng(), 0.5)],
  ['a truncated HEIC', 422, /./, () => truncated(fixture('fading.heic'), 0.6)],
  ['only the start of a JPEG', 422, /./, () => truncated(lemur(), 0.002)],
  ['a PNG that says 65535 x 65535', 422, /65535 x 65535/, () => pngThatSays(65_535, 65_535)],
  ['a PNG that says 0 x 64', 422, /0 x 64/, () => pngThatSays(0, 64)],
  ['a PNG with fewer pixels than it says', 422, /./, () => pngThatSays(2048, 2048)],
  ['a PNG without a header', 422, /./, async () => (await pngThatSays(64, 64)).subarray(0, 8)],
  ['a text', 422, /unknown format/, async () => Buffer.from('No image, but a sentence of text.')],
];

const lemurPng = async (): Promise<Buffer> =>
  sharp(await lemur())
    .png()
    .toBuffer();

async function animatedGif(): Promise<Buffer> {
  const frames = await Promise.all(
    ['#d02818', '#2818d0'].map((background) =>
      sharp({ create: { width: 64, height: 64, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  return await sharp(frames, { join: { animated: true } })
    .gif({ delay: 100 })
    .toBuffer();
}

async function jpegWithBadExif(): Promise<Buffer> {
  const jpeg = await lemur();
  const exif = Buffer.from('Exif\0\0II*\0\xff\xff\xff\xff', 'latin1');
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}

describe('POST /content-safety/v1/image-moderation with odd images', () => {
  it.each(ODD)('%s: %d, by URL and as base64', async (_name, status, message, bytes) => {
    for (const response of await judgeBothWays(await bytes())) {
      expect(response).toMatchObject({ status });
      expect(JSON.stringify(response.body)).toMatch(message);
    }
  });

  it('an empty file: 422 by URL, and 400 as base64, which is no image_b64 at all', async () => {
    const server = await serveFiles({ '/empty.png': new Uint8Array(0) }, 'image/png');
    expect(await judge({ image_url: `${server.url}/empty.png` })).toMatchObject({ status: 422 });
    await server.close();
    const response = await api.post(PATH, { image_b64: '', categories: ['Sexual'] });
    expect(response).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^image_b64: /) } });
  });

  it.each([
    ['text/html', '<!doctype html><title>No image</title>'],
    ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>'],
    ['image/jpeg', '<!doctype html><title>No image</title>'],
  ])('a %s response without an image: 422', async (mediaType, text) => {
    for (const response of await judgeBothWays(Buffer.from(text), mediaType)) {
      expect(response).toMatchObject({ status: 422 });
    }
  });

  it.each([
    'application/octet-stream',
    'text/plain',
    'binary/octet-stream',
    'video/mp4',
    'image',
    'text/html; a=b',
  ])('an image that its server names %s: 422 by URL, before it is read', async (mediaType) => {
    const [byUrl, inline] = await judgeBothWays(await lemur(), mediaType);
    expect(byUrl).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/^image_url: the server names Content-Type: /) },
    });
    expect(inline).toMatchObject({ status: 200 });
  });

  it.each(['', 'image/jpeg', 'IMAGE/PNG', 'image/unheard-of; q=1'])(
    'an image that its server names "%s", whatever the bytes are: 200',
    async (mediaType) => {
      const [byUrl] = await judgeBothWays(await lemur(), mediaType);
      expect(byUrl).toMatchObject({ status: 200 });
    },
  );

  it('an image without a type: 200', async () => {
    const bytes = await lemur();
    const target = await startHttpTarget((_request, response) => response.end(bytes));
    expect(await judge({ image_url: target.origin })).toMatchObject({ status: 200 });
    await target.stop();
  });
});

// The twin is the list of odd images above, which are made here.
describe.skipIf(HOSTILE.isMissing)(HOSTILE.titled('published hostile images'), { tags: ['long'] }, () => {
  it.each(HOSTILE_NAMES)('%s gets a verdict or 422, by URL and as base64', async (name) => {
    const status = JUDGED.has(name) ? 200 : 422;
    for (const response of await judgeBothWays(await readFile(resolve(HOSTILE.path, name)))) {
      expect(response).toMatchObject({ status });
    }
  });
});

it('a harmless image still gets its verdict after all of these', async () => {
  expect(await judge({ image_b64: (await lemur()).toString('base64') })).toMatchObject({ status: 200 });
});
