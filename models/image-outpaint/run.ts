import { runBestEngine } from '../inference/engine-ladder.ts';
import { firstFrame } from '../kernels/picture/first-frame.ts';
import { pictureOf } from '../kernels/picture/raster-picture.ts';
import { isOpaque } from '../kernels/raster/pixel-format.ts';
import { scaleRaster } from '../kernels/resize/scale-raster.ts';
import type { OutputFile, RunResult } from '../operation/define-operation.ts';
import type { ImageCodec } from '../runtime/image-codec.ts';
import { progressSpan } from '../runtime/progress.ts';
import { type Raster, WHITE } from '../runtime/raster.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { assertSafe } from './assert-safe.ts';
import { TEXT_MODELS } from './diffusion/text-models.ts';
import { acceptsPrompt, PATCHES_ENGINE } from './engines.ts';
import { createExtenders } from './extenders.ts';
import { computeExtent } from './geometry.ts';
import type { OutpaintParams } from './schema.ts';

/** Quality without visible loss. */
const QUALITY = 92;
/** Share of the run time after which the image is decoded. */
const DECODED = 0.03;
/** Shares of a result's own time after which its model is loaded, and after which it is extended. */
const [LOADED, EXTENDED] = [0.1, 0.9];

/**
 * Extends an image. It becomes upright, in sRGB, without metadata; PNG keeps 16 bits per sample.
 * @throws OperationError `unprocessable` when the image is corrupt or a result fails the safety check
 */
export async function run(input: Blob, params: OutpaintParams, runtime: Runtime): Promise<RunResult> {
  const { images, inference, signal } = runtime;
  const { prompt } = params;
  runtime.progress(0, undefined, 'decoding');
  const picture = await images.decode(input, { frames: 'first', colour: 'srgb', signal });
  const extent = computeExtent(picture, params);
  const image = scaleRaster(await firstFrame(picture), extent.kept.width, extent.kept.height);
  runtime.progress(DECODED, undefined, 'extending');
  const enginesFor = createExtenders({ image, extent, prompt }, runtime);
  const seeds = seedsOf(params);
  const files: OutputFile[] = [];
  const found = new Set(picture.warnings ?? []);
  let chosen = params.engine;
  let ran = '';
  for (const [at, seed] of seeds.entries()) {
    const share = (1 - DECODED) / seeds.length;
    const from = DECODED + at * share;
    const spanOf = (start: number, end: number) =>
      progressSpan(runtime.progress, from + start * share, from + end * share);
    const engines = enginesFor({ seed, onProgress: spanOf(LOADED, EXTENDED) });
    const ladder = { engine: chosen, isNamed: params.engine !== 'auto', purpose: 'extends images', signal };
    const made = await runBestEngine(inference, engines, { ...ladder, onProgress: spanOf(0, LOADED) });
    // All results of a run come from one engine.
    chosen = made.id;
    ran = made.engine;
    for (const warning of made.warnings) found.add(warning);
    if (params.enable_safety_checker) {
      const isOwnContent = made.id === PATCHES_ENGINE;
      for (const warning of await assertSafe(made.value, runtime, isOwnContent)) found.add(warning);
    }
    files.push(await encode(made.value, seed, params, { images, signal }));
    runtime.progress(from + share);
  }
  if (prompt.trim() !== '' && !acceptsPrompt(chosen)) found.add(unreadPrompt(params.engine));
  return { files, engine: ran, warnings: [...found], details: { seeds } };
}

function unreadPrompt(asked: string): string {
  const names = TEXT_MODELS.map(({ id }) => id).join(' or ');
  const reason =
    asked === 'auto'
      ? `only a named engine reads it: ${names}`
      : `${asked} does not read text: ${names} does`;
  return `prompt: it was not applied, since ${reason}. The image was extended without it.`;
}

/** Returns one seed for each result. They wrap around at the largest one. */
function seedsOf({
  seed = Math.floor(Math.random() * 2 ** 32),
  num_images,
}: OutpaintParams): readonly number[] {
  return Array.from({ length: num_images }, (_, at) => (seed + at) % 2 ** 32);
}

async function encode(
  raster: Raster,
  seed: number,
  { output_format }: OutpaintParams,
  { images, signal }: { readonly images: ImageCodec; readonly signal: AbortSignal },
): Promise<OutputFile> {
  const format = output_format === 'jpg' ? 'jpeg' : output_format;
  const picture = pictureOf(raster, { hasAlpha: !isOpaque(raster), metadata: {} });
  const options = { format, quality: QUALITY, background: WHITE, metadata: {}, signal };
  return {
    name: `extended-${seed}.${output_format}`,
    mediaType: `image/${format}`,
    blob: await images.encode(picture, options),
  };
}
