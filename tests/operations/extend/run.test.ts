import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import { imageOutpaint } from '../../../models/operations/extend/operation.ts';
import type { OutpaintParams } from '../../../models/operations/extend/schema.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { createModerationInference } from '../../support/models/moderation.ts';
import { createOutpaintInference } from '../../support/models/outpaint.ts';

interface Available {
  /** Ids of the networks that paint a guide. */
  readonly guides?: readonly string[];
  /** Ids of the models that judge results. */
  readonly judges?: readonly string[];
}

async function run(
  image: Uint8Array,
  params: Partial<OutpaintParams>,
  { guides = [], judges = ['nsfw-mobilenet'] }: Available = {},
) {
  const runtime = createNodeRuntime({
    signal: new AbortController().signal,
    inference: createOutpaintInference(guides, createModerationInference(judges)),
  });
  const input = new Blob([new Uint8Array(image)]);
  const result = await imageOutpaint.execute(input, { seed: 7, ...params }, runtime);
  const bytes = await Promise.all(
    result.files.map(async ({ blob }) => Buffer.from(await blob.arrayBuffer())),
  );
  return { ...result, bytes };
}

/** Black on the left, white on the right. */
function halves(width = 80, height = 64) {
  return sharp({ create: { width, height, channels: 3, background: 'black' } })
    .composite([
      {
        input: { create: { width: width / 2, height, channels: 3, background: 'white' } },
        left: width / 2,
        top: 0,
      },
    ])
    .png()
    .toBuffer();
}

describe('image-outpaint', () => {
  test('extends from the image itself where no network is available, and keeps its pixels', async () => {
    const image = await halves();
    const { files, engine, warnings, details, bytes } = await run(image, {
      expand_right: 40,
      expand_top: 10,
    });
    expect(files.map(({ name, mediaType }) => [name, mediaType])).toEqual([['extended-7.png', 'image/png']]);
    expect([engine, warnings]).toEqual(['darkroom-patches', []]);
    expect(details).toEqual({ seeds: [7], fill_quality: 0.67 });
    const kept = sharp(bytes[0]).extract({ left: 0, top: 10, width: 80, height: 64 });
    expect(await kept.removeAlpha().raw().toBuffer()).toEqual(
      await sharp(image).removeAlpha().raw().toBuffer(),
    );
    expect(await sharp(bytes[0]).metadata()).toMatchObject({ width: 120, height: 74 });
  });

  async function expectGuided(id: string): Promise<void> {
    // The stand-ins paint white, next to the black border too.
    const params = { expand_left: 40 };
    const guided = await run(await halves(), params, { guides: [id] });
    expect(guided.engine).toBe(`${id} on cpu`);
    const added = { left: 0, top: 0, width: 20, height: 64 };
    const getMean = async (image: Buffer | undefined) => {
      const { channels } = await sharp(await sharp(image).extract(added).toBuffer()).stats();
      return channels[0]?.mean ?? 0;
    };
    expect(await getMean(guided.bytes[0])).toBeGreaterThan(200);
    const alone = await run(await halves(), params);
    expect(await getMean(alone.bytes[0])).toBeLessThan(50);
  }

  test.each(['lama-fp32'])('follows what %s paints', expectGuided);
  test.each(['lama-opencv', 'migan-pipeline-v2'])('follows what %s paints', { tags: ['long'] }, expectGuided);

  test('makes several results with seeds that count up and wrap around, the same each time', async () => {
    const image = await sharp('public/samples/lemur.jpg').resize(96).png().toBuffer();
    const params = { expand_left: 24, num_images: 2, seed: 2 ** 32 - 1 };
    const { files, bytes, details } = await run(image, params);
    expect(files.map(({ name }) => name)).toEqual(['extended-4294967295.png', 'extended-0.png']);
    expect(details).toMatchObject({ seeds: [2 ** 32 - 1, 0] });
    expect(bytes[0]).not.toEqual(bytes[1]);
    const again = await run(image, { ...params, num_images: 1, seed: 0 });
    expect(again.bytes[0]).toEqual(bytes[1]);
  });

  test.each([
    ['jpg', 'image/jpeg', 'jpeg'],
    ['jpeg', 'image/jpeg', 'jpeg'],
    ['webp', 'image/webp', 'webp'],
  ] as const)('writes %s', async (output_format, mediaType, format) => {
    const { files, bytes } = await run(await halves(), { zoom_out_percentage: 50, output_format });
    expect(files).toMatchObject([{ name: `extended-7.${output_format}`, mediaType }]);
    expect(await sharp(bytes[0]).metadata()).toMatchObject({ format, width: 80, height: 64 });
  });

  test('turns the image upright before it extends it', async () => {
    const image = await sharp(await halves(80, 40))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { bytes } = await run(image, { expand_left: 8 });
    expect(await sharp(bytes[0]).metadata()).toMatchObject({ width: 48, height: 80 });
  });

  test('extends the first frame of an animation, and says so and that no engine read the prompt', async () => {
    const frames = [
      await halves(40, 40),
      await sharp(await halves(40, 40))
        .flop()
        .toBuffer(),
    ];
    const animation = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { warnings } = await run(animation, { expand_top: 8, prompt: 'a stormy sky' });
    expect(getMessages(warnings)).toEqual([
      'The image has 2 frames: only the first is kept.',
      'prompt: it was not applied, since only a named engine reads it: sd15-inpaint-fp16 or lcm-inpaint. The image was extended without it.',
    ]);
  });

  describe('the safety checker', () => {
    // The stand-in for the NSFW ViT finds red unsafe.
    const red = () =>
      sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
        .png()
        .toBuffer();

    test('fails a result with sexual content', async () => {
      const judged = run(await red(), { expand_top: 8 }, { judges: ['nsfw-vit-int8'] });
      await expect(judged).rejects.toMatchObject({
        code: 'unprocessable',
        message: expect.stringContaining('Set enable_safety_checker to false'),
      });
    });

    test('can be switched off', async () => {
      const params = { expand_top: 8, enable_safety_checker: false };
      const { files } = await run(await red(), params, { judges: ['nsfw-vit-int8'] });
      expect(files).toHaveLength(1);
    });

    test('is left out with a warning where an image is extended from itself and nothing judges it', async () => {
      const { warnings } = await run(await red(), { expand_top: 8 }, { judges: [] });
      expect(getMessages(warnings)).toEqual([
        'No model for the safety check was available. The added area repeats parts of the image.',
      ]);
    });

    test('is required where a network painted', async () => {
      const judged = run(await red(), { expand_top: 8 }, { guides: ['lama-fp32'], judges: [] });
      await expect(judged).rejects.toMatchObject({ code: 'unavailable' });
    });
  });

  test('refuses a named network that is not available', async () => {
    await expect(run(await halves(), { expand_top: 8, engine: 'lama-fp32' })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  test('refuses a corrupt image', async () => {
    const image = (await halves()).subarray(0, 90);
    await expect(run(image, { expand_top: 8 })).rejects.toMatchObject({ code: 'unprocessable' });
  });

  test('computes price, lane and limits from size and number', async () => {
    const image = new Blob([new Uint8Array(await halves())]);
    const { price, facts } = await imageOutpaint.quote(image, { num_images: 3, expand_top: 1 });
    expect(price).toBe(360_000n);
    expect(imageOutpaint.laneFor(facts, { expand_top: 1 })).toBe('interactive');
    expect(imageOutpaint.laneFor(facts, { expand_top: 1, num_images: 8 })).toBe('long');
    const large = { ...facts, width: 10_000, height: 10_000 };
    expect(imageOutpaint.laneFor(large, { expand_top: 1 })).toBe('long');
    const limits = imageOutpaint.limitsFor(large, { expand_top: 700, num_images: 8 });
    expect(limits.runSecondsMax).toBeLessThan(14_400);
    expect(limits.memoryBytesMax).toBeGreaterThan(
      imageOutpaint.limitsFor(facts, { expand_top: 1 }).memoryBytesMax,
    );
  });
});
