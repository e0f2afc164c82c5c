import sharp from 'sharp';
import { expect, test } from 'vitest';
import { SHIPPED_RECIPES } from '../../../models/pipeline/recipes.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { getWav } from '../../support/media/audio.ts';
import { createDiarizationInference, HUB_IDS } from '../../support/models/diarization.ts';
import { createMattingInference } from '../../support/models/matting-inference.ts';

const { pipeline } = OPERATIONS;

/** Red square in the middle of green: the stand-in segments red. */
async function photo(): Promise<Blob> {
  const square = { create: { width: 120, height: 120, channels: 3, background: '#ff0020' } } as const;
  const bytes = await sharp({ create: { width: 300, height: 240, channels: 3, background: '#00a020' } })
    .composite([{ input: await sharp(square).png().toBuffer(), left: 90, top: 60 }])
    .png()
    .toBuffer();
  return new Blob([new Uint8Array(bytes)]);
}

function sound(): Blob {
  const samples = Float32Array.from({ length: 44_100 * 3 }, (_, at) => 0.2 * Math.sin(at / 20));
  return getWav([samples], 44_100);
}

async function runRecipe(name: string) {
  const recipe = SHIPPED_RECIPES.find((each) => each.name === name);
  if (!recipe) throw new Error(`There is no recipe ${name}.`);
  const { steps, outputs, takes } = recipe;
  const input = takes === 'image' ? await photo() : sound();
  const params = { steps, ...(outputs && { outputs }) };
  const inference =
    takes === 'image' ? createMattingInference(['u2netp']) : createDiarizationInference(HUB_IDS);
  const runtime = createNodeRuntime({ signal: new AbortController().signal, inference });
  const { facts } = await pipeline.quote(input, params);
  const { files } = await pipeline.execute(input, params, runtime);
  expect(files).toHaveLength(pipeline.outputCount(params));
  return { files, facts };
}

/** Lists names and sizes of the images of a recipe. */
async function listImages(name: string) {
  const { files } = await runRecipe(name);
  return await Promise.all(
    files.map(async ({ name: file, blob }) => {
      const { width, height, format, density } = await sharp(await blob.arrayBuffer()).metadata();
      return { file, size: `${width}x${height}`, format, density };
    }),
  );
}

test('every recipe has a name that a preset may have, and steps that the schema accepts', () => {
  for (const { name, steps, outputs } of SHIPPED_RECIPES) {
    expect(name).toMatch(/^[a-z][a-z0-9-]{0,63}$/);
    expect(pipeline.params.safeParse({ steps, outputs }).error).toBeUndefined();
  }
});

test('the shop photo is a JPG of 2000 x 2000 on white', async () => {
  const { files } = await runRecipe('shop-photo');
  const [file] = files;
  const image = sharp(await file?.blob.arrayBuffer());
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  expect([file?.name, info.width, info.height, ...data.subarray(0, 3)]).toEqual([
    'shop.jpg',
    2000,
    2000,
    255,
    255,
    255,
  ]);
});

test('the marketplace set has three sizes in two formats', { tags: ['long'] }, async () => {
  const images = await listImages('marketplace-set');
  expect(images.map(({ size, format }) => `${format} ${size}`)).toEqual([
    'jpeg 2000x2000',
    'webp 2000x2000',
    'jpeg 1000x1000',
    'webp 1000x1000',
    'jpeg 400x400',
    'webp 400x400',
  ]);
});

test('web images are AVIF and WebP, and a small one does not grow', async () => {
  const images = await listImages('web-images');
  expect(images.map(({ file, size }) => `${file} ${size}`)).toEqual([
    'avif.avif 300x240',
    'webp.webp 300x240',
  ]);
});

test('the passport photo has 35 x 45 mm at 600 dpi', { tags: ['long'] }, async () => {
  const [image] = await listImages('passport-photo');
  expect(image).toEqual({ file: 'passport.jpg', size: '827x1063', format: 'jpeg', density: 600 });
});

test('the social set is cut to three shapes', { tags: ['long'] }, async () => {
  const images = await listImages('social-set');
  const shapes = images.map(({ file, size }) => {
    const [width = 0, height = 0] = size.split('x').map(Number);
    return [file, (width / height).toFixed(2)];
  });
  expect(shapes).toEqual([
    ['square.jpg', '1.00'],
    ['portrait.jpg', '0.80'],
    ['story.jpg', '0.56'],
  ]);
});

test('the podcast is a timeline of speakers and two stems', async () => {
  const { files } = await runRecipe('podcast');
  expect(files.map(({ name }) => name)).toEqual(['speakers.json', 'stems.vocals.mp3', 'stems.no_vocals.mp3']);
});
