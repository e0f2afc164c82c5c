import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { removeBg } from '../../../models/operations/remove-bg/operation.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { createMattingInference } from '../../support/models/matting-inference.ts';

const WIDTH = 300;
const HEIGHT = 200;

/** Red square of 100 x 100 in the middle of green: the stand-in segments red. */
const photo = (format: 'png' | 'jpeg' | 'webp' = 'png') =>
  sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#00a020' } })
    .composite([{ input: square, left: 100, top: 50 }])
    .toFormat(format)
    .toBuffer()
    .then((bytes) => new Blob([new Uint8Array(bytes)]));
const square = await sharp({ create: { width: 100, height: 100, channels: 3, background: '#ff0020' } })
  .png()
  .toBuffer();

async function remove(input: Blob, params: object, attachments = new Map<string, Blob>()) {
  const { signal } = new AbortController();
  const runtime = createNodeRuntime({ signal, inference: createMattingInference(['u2netp']), attachments });
  await removeBg.quote(input, params);
  const result = await removeBg.execute(input, params, runtime);
  const [file] = result.files;
  if (!file) throw new Error('no file');
  const image = sharp(await file.blob.arrayBuffer());
  const { data, info } = await image.clone().ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) =>
    Array.from(data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4));
  return { ...result, file, format: (await image.metadata()).format, info, pixel };
}

describe('remove-bg', () => {
  test('returns a transparent png of the same size, with engine and details', async () => {
    const { file, format, info, pixel, engine, warnings, details } = await remove(await photo(), {});
    expect([file.name, file.mediaType, format]).toEqual(['output.png', 'image/png', 'png']);
    expect([info.width, info.height]).toEqual([WIDTH, HEIGHT]);
    expect(pixel(150, 100)).toEqual([255, 0, 32, 255]);
    expect(pixel(20, 20)).toEqual([0, 0, 0, 0]);
    expect({ engine, warnings }).toEqual({ engine: 'u2netp on cpu', warnings: [] });
    expect(details).toEqual({
      original_size: '300x200',
      subjects_detected: 1,
      matte_quality: 'high',
      matte_doubt: null,
    });
  });

  test('flattens jpeg onto white', async () => {
    const { format, pixel } = await remove(await photo(), { output_format: 'jpeg' });
    expect(format).toBe('jpeg');
    for (const part of pixel(20, 20)) expect(part).toBeGreaterThan(250);
  });

  test('keeps webp transparent', async () => {
    const { format, pixel } = await remove(await photo('webp'), { output_format: 'webp' });
    expect(format).toBe('webp');
    expect(pixel(20, 20)[3]).toBe(0);
  });

  test('composites the subject over a colour, a gradient or an image', async () => {
    const colour = await remove(await photo(), { background: '#0000ff' });
    expect(colour.pixel(20, 20)).toEqual([0, 0, 255, 255]);
    const gradient = await remove(await photo(), { background: 'linear-gradient(to right, black, white)' });
    expect(gradient.pixel(298, 20)[0]).toBeGreaterThan(250);
    const beach = sharp({ create: { width: 30, height: 90, channels: 3, background: '#8090a0' } });
    const attachments = new Map([['background', new Blob([new Uint8Array(await beach.png().toBuffer())])]]);
    const image = await remove(await photo(), { background: 'https://example.com/beach.png' }, attachments);
    expect(image.pixel(20, 20)).toEqual([128, 144, 160, 255]);
    expect(image.pixel(150, 100)).toEqual([255, 0, 32, 255]);
  });

  test.each([
    [{ background: 'blurple' }, /^background: must be transparent, a CSS colour/],
    [{ output_format: 'gif' }, /^output_format: must be one of png, jpeg, webp/],
    [{ subject: 'second' }, /^subject: must be one of all, primary/],
    [{ engine: 'magic' }, /^engine: must be one of auto, /],
    [{ feather: 3 }, /^feather: unknown field/],
  ])('rejects %j', async (params, message) => {
    await expect(remove(await photo(), params)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(message),
    });
  });

  test('rejects a side of more than 8000 pixels', async () => {
    const wide = sharp({ create: { width: 8001, height: 2, channels: 3, background: 'red' } });
    const input = new Blob([new Uint8Array(await wide.png().toBuffer())]);
    await expect(removeBg.quote(input, {})).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('8001 x 2'),
    });
  });

  test('costs 0.01 US dollars', async () => {
    expect((await removeBg.quote(await photo(), {})).price).toBe(10_000n);
  });
});
