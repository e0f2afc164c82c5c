import { openAsBlob, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { PICTURES } from '../../../models/acceptance/verdicts.ts';
import type { Inference } from '../../../models/core/runtime/inference.ts';
import { getMessages } from '../../../models/core/runtime/run-warnings.ts';
import { CATEGORIES } from '../../../models/moderation/categories.ts';
import { imageModeration } from '../../../models/operations/moderate/operation.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { sharedData } from '../../support/media/shared-data.ts';
import { CLIP_IDS, createModerationInference } from '../../support/models/moderation.ts';

const BUNDLED = ['nsfw-mobilenet'];
const HUB = [...CLIP_IDS, 'nsfw-vit-int8'];

const colour = async (background: string, size = { width: 80, height: 60 }) => {
  const image = sharp({ create: { ...size, channels: 3, background } });
  return new Blob([new Uint8Array(await image.png().toBuffer())]);
};

async function moderate(input: Blob, params: object, inference: Inference) {
  const { signal } = new AbortController();
  await imageModeration.quote(input, params);
  return await imageModeration.execute(input, params, createNodeRuntime({ signal, inference }));
}

/** Returns the severities by category. */
async function judged(input: Blob, params: object, inference: Inference): Promise<Record<string, number>> {
  const { details } = await moderate(input, params, inference);
  const found = details?.categories as { category: string; severity: number }[];
  return Object.fromEntries(found.map(({ category, severity }) => [category, severity]));
}

describe('image-moderation with CLIP', () => {
  it.each([
    ['of the texts about blood', '#ff0000', { Hate: 0, SelfHarm: 0, Sexual: 6, Violence: 6 }],
    ['of the texts about a flag', '#00ff00', { Hate: 6, SelfHarm: 0, Sexual: 0, Violence: 0 }],
    ['of ordinary texts', '#0000ff', { Hate: 0, SelfHarm: 0, Sexual: 0, Violence: 0 }],
  ])('gives each category the severity %s', async (_name, background, severities) => {
    // Red is unsafe to the stand-in of the other network, and the higher severity counts.
    expect(await judged(await colour(background), {}, createModerationInference(HUB))).toEqual(severities);
  });

  it('names both engines, and flags by the threshold', async () => {
    const result = await moderate(
      await colour('#00ff00'),
      { severity_threshold: 6 },
      createModerationInference(HUB),
    );
    expect(result).toMatchObject({
      files: [],
      engine: 'clip-vit-b32-vision-uint8 on cpu, nsfw-vit-int8 on cpu',
      warnings: [],
      details: { flagged: true, severity_threshold: 6 },
    });
    const ordinary = await moderate(await colour('#0000ff'), {}, createModerationInference(HUB));
    expect(ordinary.details).toMatchObject({ flagged: false, severity_threshold: 2 });
  });

  it('counts severity 0 where the threshold is 0', async () => {
    const { details } = await moderate(
      await colour('#0000ff'),
      { severity_threshold: 0 },
      createModerationInference(HUB),
    );
    expect(details).toMatchObject({ flagged: true });
  });

  it('encodes the texts once', async () => {
    const inference = createModerationInference(HUB);
    const categories = ['Violence'];
    await judged(await colour('#ff0000'), { categories }, inference);
    expect(await judged(await colour('#ff0000'), { categories }, inference)).toEqual({ Violence: 6 });
    expect(inference.opened.filter((id) => id === 'clip-vit-b32-text-q4')).toHaveLength(1);
    expect(inference.opened).not.toContain('nsfw-vit-int8');
  });

  it('judges Sexual without CLIP where it fails, with a warning', async () => {
    const result = await moderate(
      await colour('#ff0000'),
      { categories: ['Sexual'] },
      createModerationInference(HUB, CLIP_IDS),
    );
    expect(result.engine).toBe('nsfw-vit-int8 on cpu');
    expect(getMessages(result.warnings)).toEqual(['clip-vit-b32-text-q4: the weights cannot be downloaded.']);
  });

  it.each([
    ['#808080', 2],
    ['#909090', 4],
    ['#ff8080', 6],
  ])('maps the share of the unsafe class for %s to %d', async (background, severity) => {
    const inference = createModerationInference(['nsfw-vit-int8']);
    expect(await judged(await colour(background), { categories: ['Sexual'] }, inference)).toEqual({
      Sexual: severity,
    });
  });
});

describe('image-moderation with the bundled network', () => {
  it('judges Sexual', async () => {
    const photo = await openAsBlob('public/samples/lemur.jpg');
    const result = await moderate(photo, { categories: ['Sexual'] }, createModerationInference(BUNDLED));
    expect(result).toMatchObject({
      engine: 'nsfw-mobilenet on cpu',
      details: { flagged: false, categories: [{ category: 'Sexual', severity: 0 }] },
    });
  });

  it.each([[{}], [{ categories: ['Violence', 'Sexual'] }], [{ engine: 'nsfw-mobilenet' }]])(
    'does not invent a severity of another category: %j',
    async (params) => {
      const photo = await openAsBlob('public/samples/lemur.jpg');
      await expect(moderate(photo, params, createModerationInference(BUNDLED))).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/^categories: no engine that judges .*Violence is available\./),
      });
    },
  );

  async function expectUnflagged(path: string): Promise<void> {
    const params = { categories: ['Sexual'], severity_threshold: 4 };
    const { details } = await moderate(await openAsBlob(path), params, createModerationInference(BUNDLED));
    expect(details).toMatchObject({ flagged: false });
  }

  it.each(['lemur.jpg', 'kitten.jpg'])('does not flag %s at threshold 4', (name) =>
    expectUnflagged(resolve('public/samples', name)),
  );

  it.each(PICTURES.map(({ name }) => name))('finds the acceptance sample %s safe', async (name) => {
    const picture = await openAsBlob(resolve('public/acceptance', name));
    const inference = createModerationInference(BUNDLED);
    expect(await judged(picture, { categories: ['Sexual'] }, inference)).toEqual({ Sexual: 0 });
  });

  it('has an acceptance sample that stands in for each category', () => {
    expect(new Set(PICTURES.flatMap(({ standsFor }) => standsFor ?? []))).toEqual(new Set(CATEGORIES));
  });

  // Measured only: their licence is not stated.
  const faces = sharedData('data/superres');
  it.skipIf(faces.isMissing).each(['Set5/head.png', 'Set14/face.png', 'Set5/woman.png', 'Set5/baby.png'])(
    faces.titled('finds the face that fills %s safe'),
    { tags: ['long'] },
    async (name) => {
      const picture = await openAsBlob(resolve(faces.path, name));
      const inference = createModerationInference(BUNDLED);
      expect(await judged(picture, { categories: ['Sexual'] }, inference)).toEqual({ Sexual: 0 });
    },
  );

  const shared = sharedData('data/moderation');
  const harmless = shared.isMissing
    ? ['every photograph']
    : readdirSync(shared.path, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /\.(jpg|png)$/.test(name),
      );
  it.skipIf(shared.isMissing).each(harmless)(
    shared.titled('does not flag %s at threshold 4'),
    { tags: ['long'] },
    (name) => expectUnflagged(resolve(shared.path, name)),
  );
});

describe('image-moderation reads', () => {
  const part = (background: string) => ({
    create: { width: 80, height: 80, channels: 3 as const, background },
  });
  const blob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)]);

  it('the first frame of an animation', async () => {
    const frames = await Promise.all(
      ['#0000ff', '#ff0000'].map((background) => sharp(part(background)).png().toBuffer()),
    );
    const inference = () => createModerationInference(['nsfw-vit-int8']);
    const params = { categories: ['Sexual'] };
    for (const [order, severity] of [
      [frames, 0],
      [frames.toReversed(), 6],
    ] as const) {
      const gif = await sharp(order, { join: { animated: true } })
        .gif()
        .toBuffer();
      expect(await judged(blob(gif), params, inference())).toEqual({ Sexual: severity });
    }
  });

  it('the square in the middle by CLIP', async () => {
    // Green is what Hate has at High.
    for (const [left, severity] of [
      [0, 0],
      [80, 6],
    ] as const) {
      const wide = sharp({ create: { width: 240, height: 80, channels: 3, background: '#0000ff' } });
      const green = await sharp(part('#00ff00')).png().toBuffer();
      const image = await wide
        .composite([{ input: green, left, top: 0 }])
        .png()
        .toBuffer();
      expect(await judged(blob(image), { categories: ['Hate'] }, createModerationInference(HUB))).toEqual({
        Hate: severity,
      });
    }
  });

  it('transparent pixels as white', async () => {
    // White is as red as can be, which the stand-in finds unsafe; the hidden blue is not.
    const hidden = { create: { width: 80, height: 80, channels: 4 as const, background: '#0000ff00' } };
    const image = blob(await sharp(hidden).png().toBuffer());
    const params = { categories: ['Sexual'], engine: 'nsfw-vit-int8' };
    expect(await judged(image, params, createModerationInference(HUB))).toEqual({ Sexual: 6 });
  });

  it.each([
    [{ width: 49, height: 60 }, /49 x 60 pixels\. Both sides must have at least 50\.$/],
    [{ width: 60, height: 2049 }, /2048/],
  ])('no image of %j', async (size, message) => {
    await expect(imageModeration.quote(await colour('#808080', size), {})).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(message),
    });
  });

  it.each([
    { width: 50, height: 50 },
    { width: 2048, height: 50 },
  ])('an image of %j, for the price of one', async (size) => {
    const { price } = await imageModeration.quote(await colour('#808080', size), {});
    expect(price).toBe(2_000n);
  });
});
