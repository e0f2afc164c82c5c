import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { upscale } from '../../../models/operations/upscale/operation.ts';
import type { UpscaleParams } from '../../../models/operations/upscale/schema.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { createUpscaleInference } from '../../support/models/upscale.ts';

const signal = new AbortController().signal;

async function run(image: Uint8Array, params: Partial<UpscaleParams> = {}, ids = ['darkroom']) {
  const reached: number[] = [];
  const runtime = createNodeRuntime({
    signal,
    inference: createUpscaleInference(ids),
    onProgress: ({ fraction }) => reached.push(fraction),
  });
  const result = await upscale.execute(new Blob([new Uint8Array(image)]), params, runtime);
  const bytes = new Uint8Array((await result.files[0]?.blob.arrayBuffer()) ?? []);
  return { ...result, bytes, reached };
}

/** Image whose samples rise smoothly, larger than a tile. */
function gradient(width: number, height: number, channels: 3 | 4 = 3) {
  const data = new Uint8Array(width * height * channels);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      data[at++] = (x * 255) / width;
      data[at++] = (y * 255) / height;
      data[at++] = ((x + y) * 255) / (width + height);
      if (channels === 4) data[at++] = x < width / 2 ? 255 : 128;
    }
  }
  return sharp(data, { raw: { width, height, channels } });
}

/** Returns how luma changes from each pixel to the next. */
async function slopes(image: Sharp): Promise<number[]> {
  const luma = await image.greyscale().raw().toBuffer();
  return Array.from(luma.subarray(1), (value, at) => value - (luma[at] ?? 0));
}

describe('upscale', () => {
  test.each([
    { scale: 2 as const, ids: ['darkroom'] },
    { scale: 4 as const, ids: ['darkroom'] },
    { scale: 8 as const, ids: ['darkroom'] },
    { scale: 4 as const, ids: ['darkroom-fast'] },
    { scale: 2 as const, ids: ['realesr-general-x4v3'] },
    { scale: 8 as const, ids: ['swin2sr-lightweight-x2'] },
  ])('enlarges $scale times with $ids', async ({ scale, ids }) => {
    const [id = ''] = ids;
    const image = await gradient(61, 47).png().toBuffer();
    const isDefault = id.startsWith('darkroom');
    const { bytes, engine, details } = await run(image, { scale, ...(!isDefault && { model: id }) }, ids);
    expect(engine).toBe(`${id} on cpu`);
    expect(details).toMatchObject({ input_size: '61x47', output_size: `${61 * scale}x${47 * scale}`, scale });
    expect(details?.input_kind).toMatch(/^(image|drawing|degraded image)$/);
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([61 * scale, 47 * scale, 3]);
    const expected = await gradient(61, 47)
      .resize(61 * scale, 47 * scale, { kernel: 'cubic' })
      .raw()
      .toBuffer();
    expect(meanDifference(data, expected)).toBeLessThan(2.5);
  });

  test('the best model restores a compressed photograph, and only enlarges a clean one', async () => {
    const ids = ['darkroom', 'darkroom-restore', 'darkroom-fast'];
    const photograph = sharp('public/samples/lemur.jpg').resize(240);
    const clean = await photograph.clone().png().toBuffer();
    const compressed = await photograph.clone().jpeg({ quality: 40 }).toBuffer();
    expect((await run(clean, {}, ids)).engine).toBe('darkroom on cpu');
    expect((await run(compressed, {}, ids)).engine).toBe('darkroom-restore on cpu');
    // Its traces stay when it is stored without loss.
    const stored = await sharp(compressed).png().toBuffer();
    expect((await run(stored, { scale: 4 }, ids)).engine).toBe('darkroom-restore on cpu');
    expect((await run(clean, { model: 'darkroom-restore' }, ids)).engine).toBe('darkroom-restore on cpu');
    expect((await run(compressed, { model: 'darkroom' }, ids)).engine).toBe('darkroom on cpu');
    expect((await run(compressed, {}, ['darkroom'])).engine).toBe('darkroom on cpu');
  });

  test('four times as large, edges of a compressed face come closer to the truth restored than enlarged as they are', async () => {
    const truth = await sharp('public/samples/lemur.jpg')
      .extract({ left: 220, top: 90, width: 256, height: 256 })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { data } = truth;
    const small = sharp(data, { raw: truth.info }).resize(64, 64).jpeg({ quality: 60 });
    const image = await small.toBuffer();
    const distance = async (model: string) => {
      const { bytes } = await run(image, { scale: 4, model }, ['darkroom', 'darkroom-restore']);
      return meanDifference(await slopes(sharp(bytes)), await slopes(sharp(data, { raw: truth.info })));
    };
    expect(await distance('darkroom-restore')).toBeLessThan(await distance('darkroom'));
  });

  test.each(['png', 'jpeg', 'webp'] as const)(
    'a width reduces the result, which states its print resolution: %s',
    async (output_format) => {
      const image = await gradient(80, 60).png().toBuffer();
      const { bytes, details } = await run(image, { scale: 4, width: 200, dpi: 254, output_format });
      const { width, height, exif, density } = await sharp(bytes).metadata();
      expect([width, height]).toEqual([200, 150]);
      // WebP has no field for it.
      if (output_format === 'webp') expect(exif).toBeDefined();
      else expect(density).toBe(254);
      expect(details).toMatchObject({ input_size: '80x60', output_size: '200x150' });
      const wide = await run(image, { width: 200, output_format });
      expect(wide.details).toMatchObject({ output_size: '160x120' });
    },
  );

  test('a result of many tiles has no seams', async () => {
    const image = await gradient(600, 420).png().toBuffer();
    const { bytes, reached } = await run(image, { scale: 2 });
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const expected = await gradient(600, 420).resize(1200, 840, { kernel: 'cubic' }).raw().toBuffer();
    expect(largestDifference(data, expected)).toBeLessThanOrEqual(3);
    expect(reached.length).toBeGreaterThan(6);
    expect(reached).toEqual(reached.toSorted((one, other) => one - other));
  });

  test.each(['png', 'webp', 'jpeg'] as const)(
    'alpha is enlarged, and white behind jpeg: %s',
    async (output_format) => {
      const image = await gradient(80, 60, 4).png().toBuffer();
      const { bytes, files } = await run(image, { output_format });
      expect(files[0]).toMatchObject({
        name: `output.${output_format}`,
        mediaType: `image/${output_format}`,
      });
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      expect([info.width, info.height]).toEqual([160, 120]);
      expect(info.channels).toBe(output_format === 'jpeg' ? 3 : 4);
      if (output_format === 'jpeg') return;
      const alphaAt = (x: number) => data[(60 * 160 + x) * 4 + 3];
      expect([alphaAt(20), alphaAt(140)]).toEqual([255, 128]);
    },
  );

  test('colours under transparent pixels do not tint the edge', async () => {
    const side = 40;
    const data = new Uint8Array(side * side * 4);
    for (let at = 0; at < data.length; at += 4) {
      const isLeft = (at / 4) % side < side / 2;
      // Red on the left; on the right nothing, over a blue that no one sees.
      data.set(isLeft ? [255, 0, 0, 255] : [0, 0, 255, 0], at);
    }
    const image = await sharp(data, { raw: { width: side, height: side, channels: 4 } })
      .png()
      .toBuffer();
    const { bytes } = await run(image);
    const enlarged = await sharp(bytes).raw().toBuffer();
    for (let at = 0; at < enlarged.length; at += 4) {
      if ((enlarged[at + 3] as number) > 0) expect([enlarged[at], enlarged[at + 2]]).toEqual([255, 0]);
    }
  });

  test('16 bits per sample are kept in png', async () => {
    const data = Uint16Array.from({ length: 30 * 20 * 3 }, (_, at) => 20_000 + at);
    const image = await sharp(data, { raw: { width: 30, height: 20, channels: 3 } })
      .toColourspace('rgb16')
      .png()
      .toBuffer();
    const { bytes } = await run(image);
    const { data: enlarged, info } = await sharp(bytes)
      .toColourspace('rgb16')
      .raw({ depth: 'ushort' })
      .toBuffer({ resolveWithObject: true });
    expect(await sharp(bytes).metadata()).toMatchObject({ depth: 'ushort', width: 60 });
    const samples = new Uint16Array(enlarged.buffer, enlarged.byteOffset, enlarged.length / 2);
    expect(info.channels).toBe(3);
    expect(new Set(Array.from(samples, (sample) => sample % 256)).size).toBeGreaterThan(100);
  });

  test.each([
    [1, 1],
    [1, 300],
    [300, 1],
    [1, 8000],
  ])('an image of %i x %i pixels', async (width, height) => {
    const image = await sharp({ create: { width, height, channels: 3, background: '#285078' } })
      .png()
      .toBuffer();
    const { bytes } = await run(image, { scale: 4 });
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([width * 4, height * 4]);
    expect([...data.subarray(0, 3)]).toEqual([0x28, 0x50, 0x78]);
  });

  test('the result is upright, in sRGB, and without metadata', async () => {
    // Red above blue, lying on its side, in the colours of Display P3.
    const colours = Buffer.from([255, 0, 0, 0, 0, 255]);
    const lying = await sharp(colours, { raw: { width: 2, height: 1, channels: 3 } })
      .resize(48, 24, { kernel: 'nearest', fit: 'fill' })
      .png()
      .toBuffer();
    const image = await sharp(lying)
      .withExif({ IFD0: { Artist: 'an artist' } })
      .withIccProfile('p3')
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const { bytes, details } = await run(image);
    expect(details).toMatchObject({ input_size: '24x48', output_size: '48x96' });
    const metadata = await sharp(bytes).metadata();
    expect([metadata.exif, metadata.icc, metadata.orientation]).toEqual([undefined, undefined, undefined]);
    const upright = await sharp(image)
      .rotate()
      .toColourspace('srgb')
      .resize(48, 96, { kernel: 'cubic' })
      .raw()
      .toBuffer();
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const at = (y: number) => (y * 48 + 24) * 3;
    for (const y of [10, 86]) {
      for (const channel of [0, 1, 2]) {
        const difference = (data[at(y) + channel] as number) - (upright[at(y) + channel] as number);
        expect(Math.abs(difference)).toBeLessThanOrEqual(4);
      }
    }
  });

  test('what the format cannot hold is refused with its limit', async () => {
    const image = await sharp({ create: { width: 1, height: 8000, channels: 3, background: '#285078' } })
      .png()
      .toBuffer();
    const refused = upscale.quote(new Blob([new Uint8Array(image)]), { scale: 4, output_format: 'webp' });
    await expect(refused).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('output_format: webp holds at most 16383 pixels per side'),
    });
  });

  test('an animation is refused', async () => {
    const frames = await Promise.all(
      ['#102030', '#a0b0c0'].map((background) =>
        sharp({ create: { width: 20, height: 20, channels: 4, background } })
          .png()
          .toBuffer(),
      ),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    await expect(run(gif)).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'The image has 2 frames or pages. Send one of them as an image.',
    });
  });

  test('encoding has a share of the progress', async () => {
    const { reached } = await run(await gradient(600, 420).png().toBuffer());
    expect(reached.slice(-2)).toEqual([0.9, 1]);
  });

  test('a model that is not there is named', async () => {
    const image = await gradient(20, 20).png().toBuffer();
    await expect(run(image, {}, [])).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('quote', () => {
  test.each([
    [{ scale: 3 }, 'bad_request', 'scale'],
    [{ scale: '2' }, 'bad_request', 'scale'],
    [{ model: 'nothing' }, 'model_not_found', "Model 'nothing' not found or disabled"],
    [{ output_format: 'gif' }, 'bad_request', 'output_format'],
    [{ scale: 8 }, 'bad_request', 'At most 100 are allowed'],
  ])('%o is refused', async (params, code, message) => {
    const image = new Blob([new Uint8Array(await gradient(2000, 1000).png().toBuffer())]);
    await expect(upscale.quote(image, params)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  test('a result costs 0.005 USD per started megapixel', async () => {
    const image = new Blob([new Uint8Array(await gradient(700, 500).png().toBuffer())]);
    const { price } = await upscale.quote(image, { scale: 2 });
    expect(price).toBe(10_000n);
  });
});

function meanDifference(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += Math.abs((one[at] as number) - (other[at] as number));
  return sum / one.length;
}

function largestDifference(one: Uint8Array, other: Uint8Array): number {
  let most = 0;
  for (let at = 0; at < one.length; at++)
    most = Math.max(most, Math.abs((one[at] as number) - (other[at] as number)));
  return most;
}
