import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSquareVideo } from '../../support/media/square-video.ts';
import { drawRedBall, startApi, type TestApi } from '../../support/service/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.startRunner();
});
afterAll(() => api.close());

async function send(bytes: Uint8Array, field: 'image_url' | 'video_url') {
  const { body } = await api.upload(new Uint8Array(bytes));
  return api.post('/v1/upscale', { [field]: body.upload_url });
}

async function expectRefused(bytes: Uint8Array, field: 'image_url' | 'video_url', message: RegExp) {
  expect(await send(bytes, field)).toMatchObject({
    status: 422,
    body: { error: 'Unprocessable Entity', message: expect.stringMatching(message) },
  });
  const wallet = await api.call('GET', '/api/v2/wallet', {
    headers: { authorization: `Bearer ${api.apiKey}` },
  });
  expect(wallet.body).toEqual({ balance_usd: '1.00', held_usd: '0.00', available_usd: '1.00' });
}

/** Animation of frames that differ. */
function animation(frameCount: number): Promise<Buffer> {
  const [width, height] = [24, 16];
  const data = Uint8Array.from({ length: width * height * frameCount * 3 }, (_, at) => {
    const frame = Math.floor(at / (width * height * 3));
    return (frame * 17 + at * (frame % 5)) % 256;
  });
  const raw = { width, height: height * frameCount, channels: 3, pageHeight: height } as const;
  return sharp(data, { raw }).gif().toBuffer();
}

/** Video whose header is right and whose frames are not. */
async function brokenVideo(): Promise<Uint8Array> {
  const bytes = Buffer.from(await (await createSquareVideo()).arrayBuffer());
  const start = bytes.indexOf('mdat') + 4;
  const next = bytes.indexOf('moov', start);
  return bytes.fill(0xa5, start, next > 0 ? next - 4 : bytes.length);
}

describe('POST /v1/upscale returns 422, and charges nothing,', () => {
  it('for an image that cannot be decoded', async () => {
    const whole = await drawRedBall('png');
    await expectRefused(Buffer.from(whole).fill(0, Math.floor(whole.length / 2)), 'image_url', /./);
  });

  it.each([
    ['for an animation of 500 frames', () => animation(500), 'image_url', /500 frames or pages/],
    ['for a video that cannot be decoded', brokenVideo, 'video_url', /./],
  ] as const)('%s', { tags: ['long'] }, async (_name, make, field, message) => {
    await expectRefused(await make(), field, message);
  });
});
