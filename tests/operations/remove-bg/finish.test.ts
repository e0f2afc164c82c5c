import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { CutoutEdits } from '../../../models/operations/remove-bg/cutout-edits.ts';
import { finishCutout } from '../../../models/operations/remove-bg/finish-cutout.ts';
import { createImageCodec } from '../../../server/runtime/image-codec/index.ts';

const WIDTH = 600;
const HEIGHT = 400;

const box = (background: string) =>
  sharp({ create: { width: 150, height: 150, channels: 3, background } })
    .png()
    .toBuffer();
const [red, blue] = await Promise.all([box('#e02010'), box('#1030d0')]);
const getBlob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)]);

/** Red and blue boxes on green; only the red one is left in the cutout. */
const original = getBlob(
  await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#208030' } })
    .composite([
      { input: red, left: 80, top: 120 },
      { input: blue, left: 360, top: 120 },
    ])
    .png()
    .toBuffer(),
);
const cutout = getBlob(
  await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 4, background: '#00000000' } })
    .composite([{ input: red, left: 80, top: 120 }])
    .png()
    .toBuffer(),
);
const css = (background: string) => ({ kind: 'css' as const, background });
const keepBlue = {
  mode: 'keep' as const,
  radius: 0.03,
  points: [
    [0.65, 0.35],
    [0.8, 0.62],
  ] as const,
};

async function finish(look: Partial<CutoutEdits>) {
  const { signal } = new AbortController();
  const whole = {
    strokes: [],
    background: css('transparent'),
    format: 'png' as const,
    placement: null,
    ...look,
  };
  const file = await finishCutout({ original, cutout }, whole, { images: createImageCodec(), signal });
  const image = sharp(await file.blob.arrayBuffer());
  const { format } = await image.metadata();
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => Array.from(data.subarray((y * info.width + x) * 4).subarray(0, 4));
  return { file, format, size: [info.width, info.height], pixel };
}

describe('a finished cutout', () => {
  test('without edits has the same pixels', async () => {
    const { size, pixel, file } = await finish({});
    expect([file.name, size]).toEqual(['output.png', [WIDTH, HEIGHT]]);
    expect(pixel(150, 200)).toEqual([0xe0, 0x20, 0x10, 255]);
    expect(pixel(430, 200)).toEqual([0, 0, 0, 0]);
  });

  test('is composited over a colour, a gradient or an image', async () => {
    const colour = await finish({ background: css('#102030') });
    expect(colour.pixel(20, 20)).toEqual([0x10, 0x20, 0x30, 255]);
    expect(colour.pixel(150, 200)).toEqual([0xe0, 0x20, 0x10, 255]);
    const gradient = await finish({ background: css('linear-gradient(to right, black, white)') });
    expect(gradient.pixel(595, 20)[0]).toBeGreaterThan(250);
    const beach = await sharp({ create: { width: 30, height: 90, channels: 3, background: '#8090a0' } })
      .png()
      .toBuffer();
    const own = await finish({ background: { kind: 'picture', picture: getBlob(beach) } });
    expect(own.pixel(20, 20)).toEqual([0x80, 0x90, 0xa0, 255]);
  });

  test.each([[[]], [[keepBlue]]])(
    'is composited over its blurred background, without the subject in it',
    async (strokes) => {
      const { pixel } = await finish({ background: { kind: 'blurred' }, strokes });
      expect(pixel(150, 200)).toEqual([0xe0, 0x20, 0x10, 255]);
      // The background next to the red box is as green as elsewhere.
      const [near, far] = [pixel(72, 200), pixel(20, 380)];
      for (const channel of [0, 1, 2]) {
        expect(Math.abs((near[channel] ?? 0) - (far[channel] ?? 0))).toBeLessThan(12);
      }
      expect(near[3]).toBe(255);
    },
  );

  test('has the requested format; jpeg is flattened onto white', async () => {
    const webp = await finish({ format: 'webp' });
    expect([webp.format, webp.pixel(20, 20)[3]]).toEqual(['webp', 0]);
    const jpeg = await finish({ format: 'jpeg' });
    expect(jpeg.format).toBe('jpeg');
    for (const part of jpeg.pixel(20, 20)) expect(part).toBeGreaterThan(250);
  });

  test('includes at full size what a stroke added, in the original colours', async () => {
    const { pixel, size } = await finish({ strokes: [keepBlue] });
    expect(size).toEqual([WIDTH, HEIGHT]);
    expect(pixel(430, 200)).toEqual([0x10, 0x30, 0xd0, 255]);
    expect(pixel(365, 125)[3]).toBeGreaterThan(250);
    expect(pixel(150, 200)).toEqual([0xe0, 0x20, 0x10, 255]);
    expect(pixel(300, 30)[3]).toBe(0);
    expect(pixel(340, 200)[3]).toBeLessThan(10);
  });
});
