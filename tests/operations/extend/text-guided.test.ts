// @module-tag long

import sharp, { type Region } from 'sharp';
import { describe, expect, test } from 'vitest';
import { NO_MODELS } from '../../../models/core/inference/model-errors.ts';
import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import { getFloats, type Tensor } from '../../../models/core/runtime/tensor.ts';
import { imageOutpaint } from '../../../models/operations/extend/operation.ts';
import type { OutpaintParams } from '../../../models/operations/extend/schema.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { createDiffusionStandIns } from '../../support/models/diffusion.ts';

const IDS = ['sd15-inpaint-fp16', 'lcm-inpaint'] as const;
const SD_STEPS = Array.from({ length: 25 }, (_, at) => 961 - 40 * at);

const grey = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#406080' } })
    .png()
    .toBuffer();

async function extend(
  image: Uint8Array,
  params: Partial<OutpaintParams>,
  { stopAfter = Number.POSITIVE_INFINITY, drift = 0 } = {},
) {
  const controller = new AbortController();
  let runs = 0;
  const onRun = () => {
    if (++runs > stopAfter) controller.abort(new Error('stopped'));
  };
  const id = IDS.find((each) => each === params.engine) ?? IDS[0];
  const seen = createDiffusionStandIns(id, NO_MODELS, { onRun, drift });
  const runtime = createNodeRuntime({ signal: controller.signal, inference: seen.inference });
  const given = { engine: IDS[0], seed: 7, enable_safety_checker: false, ...params };
  const result = await imageOutpaint
    .execute(new Blob([new Uint8Array(image)]), given, runtime)
    .catch((thrown: unknown) => ({ thrown, files: [], engine: '', warnings: [] }));
  const bytes = await Promise.all(
    result.files.map(async ({ blob }) => Buffer.from(await blob.arrayBuffer())),
  );
  return { result, bytes, seen };
}

async function getMean(image: Buffer | undefined, region: Region): Promise<number[]> {
  const { channels } = await sharp(await sharp(image).extract(region).toBuffer()).stats();
  return channels.slice(0, 3).map(({ mean }) => Math.round(mean));
}

const getNumbers = (tensor: Tensor | undefined) => (tensor ? [...getFloats(tensor)] : []);

describe.each(IDS)('extending by text with %s', (engine) => {
  const params = { engine, expand_right: 96, prompt: 'a red brick wall' };

  test('paints what the prompt says, keeps the image, and opens one model at a time', async () => {
    const image = await grey(96, 96);
    const { result, bytes, seen } = await extend(image, params);
    expect([result.engine, result.warnings]).toEqual([`${engine} on cpu`, []]);
    const [red = 0, green = 255] = await getMean(bytes[0], { left: 144, top: 0, width: 48, height: 96 });
    expect(red - green).toBeGreaterThan(120);
    const kept = sharp(bytes[0]).extract({ left: 0, top: 0, width: 96, height: 96 });
    expect(await kept.removeAlpha().raw().toBuffer()).toEqual(
      await sharp(image).removeAlpha().raw().toBuffer(),
    );
    expect(seen.openMax).toBe(1);
    const other = await extend(image, { ...params, prompt: 'a dog' });
    const [otherRed = 0, otherGreen = 0] = await getMean(other.bytes[0], {
      left: 144,
      top: 0,
      width: 48,
      height: 96,
    });
    expect(Math.abs(otherRed - otherGreen)).toBeLessThan(60);
  });

  test('gives the same bytes for the same seed, and others for another', async () => {
    const image = await grey(64, 64);
    // What is not red keeps more of the noise.
    const prompt = 'a dog';
    const { bytes, result } = await extend(image, { ...params, prompt, num_images: 2 });
    expect(result.files.map(({ name }) => name)).toEqual(['extended-7.png', 'extended-8.png']);
    expect(bytes[0]).not.toEqual(bytes[1]);
    const again = await extend(image, { ...params, prompt, seed: 8 });
    expect(again.bytes[0]).toEqual(bytes[1]);
  });

  test('asks the network at the published steps, with the mask and the hidden image', async () => {
    const { seen } = await extend(await grey(256, 512), { ...params, expand_right: 256 });
    const asked = seen.runs.filter(({ kind }) => kind === 'unet');
    const steps = asked.flatMap(({ feeds }) => getNumbers(feeds.timestep));
    expect(steps).toEqual(
      engine === 'lcm-inpaint' ? [999, 759, 499, 259] : SD_STEPS.flatMap((step) => [step, step]),
    );
    const sample = getNumbers(asked[0]?.feeds.sample);
    const cell = (channel: number, x: number) => sample[(channel * 64 + 32) * 64 + x] ?? Number.NaN;
    expect([cell(4, 31), cell(4, 32)]).toEqual([0, 1]);
    // Red of the image, from -1 to 1, by the scale of the latents; grey where it is hidden.
    expect(cell(5, 10)).toBeCloseTo((0x40 / 127.5 - 1) * 0.18215, 3);
    expect(cell(5, 50)).toBeCloseTo(0, 3);
    const ids = getNumbers(seen.runs.find(({ kind }) => kind === 'text')?.feeds.input_ids);
    expect(ids.slice(0, 7)).toEqual([49406, 320, 736, 9518, 2569, 49407, 49407]);
    expect(ids).toHaveLength(77);
  });

  test('refines a larger canvas window by window', async () => {
    const { bytes, seen } = await extend(await grey(640, 320), { ...params, expand_right: 320 });
    const [red = 0, green = 255] = await getMean(bytes[0], { left: 720, top: 0, width: 240, height: 320 });
    expect(red - green).toBeGreaterThan(120);
    // One coarse window, and the right one of two fine ones: the left one lies within the image.
    expect(seen.runs.filter(({ kind }) => kind === 'decoder')).toHaveLength(2);
    const steps = seen.runs.flatMap(({ kind, feeds }) => (kind === 'unet' ? getNumbers(feeds.timestep) : []));
    const coarse = engine === 'lcm-inpaint' ? 4 : 50;
    expect(steps[coarse]).toBe(engine === 'lcm-inpaint' ? 499 : 361);
  });

  test('stops between two steps', async () => {
    const { result, seen } = await extend(await grey(64, 64), params, { stopAfter: 5 });
    expect(result).toMatchObject({ thrown: { message: 'stopped' } });
    expect(seen.runs.length).toBeLessThanOrEqual(6);
  });
});

test('colours that a model returns a little off show no step at the border', async () => {
  const params = { engine: 'lcm-inpaint', expand_right: 160, prompt: 'a dog' } as const;
  const [right, off] = await Promise.all(
    [0, 0.2].map(async (drift) => (await extend(await grey(160, 64), params, { drift })).bytes[0]),
  );
  const offBy = async (left: number) => {
    const region = { left, top: 0, width: 4, height: 64 };
    const [[before = 0], [after = 0]] = await Promise.all([getMean(right, region), getMean(off, region)]);
    return after - before;
  };
  // Of 0 to 255 it is 25, less where the stand-in's noise is white already.
  expect(await offBy(160)).toBeLessThan(6);
  expect(await offBy(300)).toBeGreaterThan(12);
});

test('each pixel of an image that is larger than what is painted is kept', async () => {
  const [width, height] = [2080, 48];
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const image = sharp({ create: { width, height, channels: 3, background: 'white', noise } });
  const png = await image.png().toBuffer();
  const { bytes } = await extend(png, { engine: 'lcm-inpaint', expand_right: 64, prompt: 'a wall' });
  const kept = await sharp(bytes[0])
    .extract({ left: 0, top: 0, width, height })
    .removeAlpha()
    .raw()
    .toBuffer();
  expect(kept.equals(await sharp(png).removeAlpha().raw().toBuffer())).toBe(true);
});

test('automatic engines leave the prompt out, and say who reads it', async () => {
  const { result } = await extend(await grey(48, 48), {
    engine: 'auto',
    expand_left: 8,
    prompt: 'a red wall',
  });
  expect(result.engine).toBe('darkroom-patches');
  expect(getMessages(result.warnings)).toEqual([
    'prompt: it was not applied, since only a named engine reads it: sd15-inpaint-fp16 or lcm-inpaint. The image was extended without it.',
  ]);
});
