// Makes the product's own results for the studio's sample photographs, and both in the sizes that pages show. Origins
// and licences of the photographs: app/(studio)/files/samples.ts. Run again with
// `MODELS_OFFLINE=1 npx tsx scripts/samples.ts` after a change; the results are committed.
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { RunResult } from '../models/operation.ts';
import { OPERATIONS, type OperationId } from '../models/registry.ts';
import { readEnv } from '../server/env.ts';
import { openInference } from '../server/runtime/inference/index.ts';
import { createNodeRuntime } from '../server/runtime/node-runtime.ts';

const FOLDER = 'public/samples';

const runtime = createNodeRuntime({
  signal: new AbortController().signal,
  inference: openInference(readEnv()),
});
await keepResult('media-convert-image', 'kitten.jpg', { to_format: 'avif', quality: 60 }, 'kitten.avif');
await keepResult('remove-bg', 'lemur.jpg', { output_format: 'webp' }, 'lemur-cutout.webp');
await keepResult('remove-bg', 'otter.jpg', { output_format: 'webp' }, 'otter-cutout.webp');

await sharp(`${FOLDER}/lemur.jpg`).resize(340).jpeg({ quality: 92 }).toFile(`${FOLDER}/lemur-small.jpg`);
await keepResult('upscale', 'lemur-small.jpg', { output_format: 'webp' }, 'lemur-upscaled.webp');

const verdict = await execute('image-moderation', 'kitten.jpg', { categories: ['Sexual'] });
await writeFile(
  'app/(studio)/home/kitten-verdict.json',
  `${JSON.stringify({ categories: verdict.details?.categories })}\n`,
);

// The width at the end of a name says that this is the image that pages show.
await preview('kitten.jpg', 'kitten', 800);
await preview('kitten.avif', 'kitten-result', 800);
await preview('lemur.jpg', 'lemur', 680);
await preview('lemur-cutout.webp', 'lemur-result', 680);
await preview('lemur-small.jpg', 'lemur-small', 680);
await preview('lemur-upscaled.webp', 'lemur-upscaled', 680);
await preview('otter.jpg', 'otter', 1200);
await preview('otter-cutout.webp', 'otter-result', 1200);

async function preview(input: string, name: string, width: number): Promise<void> {
  const image = sharp(`${FOLDER}/${input}`).resize(width);
  await image.avif({ quality: 55, effort: 9 }).toFile(`${FOLDER}/${name}-${width}.avif`);
}

async function keepResult(id: OperationId, input: string, params: object, output: string): Promise<void> {
  const result = await execute(id, input, params);
  for (const { blob } of result.files) {
    await writeFile(`${FOLDER}/${output}`, new Uint8Array(await blob.arrayBuffer()));
  }
}

async function execute(id: OperationId, input: string, params: object): Promise<RunResult> {
  return OPERATIONS[id].execute(await openAsBlob(`${FOLDER}/${input}`), params, runtime);
}
