import { expect, test } from 'vitest';
import { mediaConvertImage } from '../../../models/operations/convert/operation.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { convert, imageFixture } from '../../support/media/images.ts';

const CUTTABLE = [
  'camera.jpg',
  'interlaced.png',
  'lossless.webp',
  'animated.gif',
  'pages.tiff',
  'fading.avif',
  'fading.heic',
];

test.each(CUTTABLE)('a truncated %s is rejected, not filled with grey', async (name) => {
  const whole = await imageFixture(name);
  const cut = whole.slice(0, Math.floor(whole.size * 0.7));
  await expect(convert(cut, { to_format: 'webp' })).rejects.toMatchObject({
    name: 'OperationError',
    code: expect.stringMatching(/^(unprocessable|bad_request)$/),
    message: expect.stringMatching(/^The image /),
  });
});

test('noise after a valid header is rejected', async () => {
  for (const name of ['interlaced.png', 'fading.heic', 'fading.avif']) {
    const bytes = new Uint8Array(await (await imageFixture(name)).arrayBuffer());
    for (let at = Math.floor(bytes.length / 2); at < bytes.length - 20; at++) bytes[at] = (at * 31) % 251;
    await expect(convert(new Blob([bytes]), { to_format: 'jpg' }), name).rejects.toMatchObject({
      code: 'unprocessable',
    });
  }
});

test('an image with a longer side than the target format allows is rejected, naming the format', async () => {
  const { data } = await import('sharp').then(({ default: sharp }) =>
    sharp({ create: { width: 17_000, height: 2, channels: 3, background: 'red' } })
      .png()
      .toBuffer({ resolveWithObject: true }),
  );
  const long = new Blob([new Uint8Array(data)]);
  await expect(convert(long, { to_format: 'webp' })).rejects.toThrow(
    /to_format: webp holds at most 16383 pixels/,
  );
  await expect(convert(long, { to_format: 'png' })).resolves.toBeDefined();
});

test('invalid fields are rejected by name', async () => {
  const image = await imageFixture('fading.png');
  await expect(convert(image, {})).rejects.toThrow(/^to_format: required/);
  await expect(convert(image, { to_format: 'svg' })).rejects.toThrow(/^to_format: must be one of jpg/);
  await expect(convert(image, { to_format: 'jpg', quality: 0 })).rejects.toThrow(
    /^quality: must be at least 1/,
  );
  await expect(convert(image, { to_format: 'jpg', depth: 8 })).rejects.toThrow(/^depth: unknown field/);
});

test('an aborted run rejects with the reason of its signal', async () => {
  const reason = new Error('no caller waits');
  const runtime = createNodeRuntime({ signal: AbortSignal.abort(reason) });
  const run = mediaConvertImage.execute(await imageFixture('fading.png'), { to_format: 'jpg' }, runtime);
  await expect(run).rejects.toBe(reason);
});

test('progress rises to 1', async () => {
  const fractions: number[] = [];
  const { signal } = new AbortController();
  const runtime = createNodeRuntime({ signal, onProgress: ({ fraction }) => fractions.push(fraction) });
  await mediaConvertImage.execute(await imageFixture('fading.png'), { to_format: 'heic' }, runtime);
  expect(fractions).toEqual([...fractions].sort((left, right) => left - right));
  expect(fractions.at(-1)).toBe(1);
});
