import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { removeBg } from '../../../models/operations/remove-bg/operation.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { createMattingInference } from '../../support/models/matting-inference.ts';

/** Red square of 100 x 100 left of the middle of green: the stand-in segments red. */
const square = await sharp({ create: { width: 100, height: 100, channels: 3, background: '#ff0020' } })
  .png()
  .toBuffer();
const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#00a020' } })
  .composite([{ input: square, left: 40, top: 50 }])
  .png()
  .toBuffer()
  .then((bytes) => new Blob([new Uint8Array(bytes)]));

async function place(params: object, attachments = new Map<string, Blob>()) {
  const { signal } = new AbortController();
  const runtime = createNodeRuntime({ signal, inference: createMattingInference(['u2netp']), attachments });
  await removeBg.quote(photo, params);
  const { files } = await removeBg.execute(photo, params, runtime);
  const image = sharp(await (files[0]?.blob ?? new Blob([])).arrayBuffer());
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) =>
    Array.from(data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4));
  return { size: [info.width, info.height], pixel };
}

const refusal = (params: object) =>
  removeBg.quote(photo, params).then(String, (error: Error) => error.message);

describe('placement of a cutout', () => {
  test('into a size in pixels', async () => {
    const { size, pixel } = await place({ size: '400x500', margin: 0.1 });
    expect(size).toEqual([400, 500]);
    expect(pixel(200, 250)).toEqual([255, 0, 32, 255]);
    expect(pixel(50, 250)[3]).toBeGreaterThan(250);
    expect(pixel(30, 250)[3]).toBe(0);
    expect(pixel(200, 70)[3]).toBe(0);
  });

  test('into the picture of a marketplace, on white', async () => {
    const { size, pixel } = await place({ size: 'marketplace' });
    expect(size).toEqual([2000, 2000]);
    expect(pixel(10, 10)).toEqual([255, 255, 255, 255]);
    expect(pixel(1000, 1000)).toEqual([255, 0, 32, 255]);
    expect((await place({ size: 'marketplace', background: '#0000ff' })).pixel(10, 10)).toEqual([
      0, 0, 255, 255,
    ]);
  });

  test('into a shape around the subject at its own size', async () => {
    const { size } = await place({ size: 'square', margin: 0.1 });
    for (const side of size) expect(Math.abs(side - 125)).toBeLessThanOrEqual(5);
    const [width = 0, height = 1] = (await place({ size: 'passport' })).size;
    expect(width / height).toBeCloseTo(35 / 45, 1);
  });

  test('at a place of the image, with the background at the size of the canvas', async () => {
    const background = 'linear-gradient(to right, black, white)';
    const { size, pixel } = await place({ position: { x: 0.8, y: 0.5 }, background });
    expect(size).toEqual([300, 200]);
    expect(pixel(240, 100)).toEqual([255, 0, 32, 255]);
    expect(pixel(90, 100)[0]).toBeLessThan(130);
    expect(pixel(2, 100)[0]).toBeLessThan(5);
  });

  test('with a shadow alone, which stays in a transparent result', async () => {
    const { size, pixel } = await place({ shadow: 'contact', shadow_strength: 1 });
    expect(size).toEqual([300, 200]);
    expect(pixel(90, 152)[3]).toBeGreaterThan(60);
    expect(pixel(90, 100)).toEqual([255, 0, 32, 255]);
    expect(pixel(250, 20)[3]).toBe(0);
  });

  test.each([
    [{ size: 'huge' }, /^size: must be square, 4:5, 9:16, marketplace, passport, or <width>x<height>/],
    [{ size: '8x400' }, /^size: must be/],
    [{ size: '9000x400' }, /^size: must be/],
    [{ margin: 0.5 }, /^margin: must be at most 0.45/],
    [{ position: { x: 2 } }, /^position\.x: must be at most 1/],
    [{ position: { z: 2 } }, /^position\.z: unknown field/],
    [{ shadow: 'hard' }, /^shadow: must be one of none, soft, contact/],
    [{ shadow_strength: -1 }, /^shadow_strength: must be at least 0/],
  ])('refuses %o', async (params, message) => {
    expect(await refusal(params)).toMatch(message);
  });
});
