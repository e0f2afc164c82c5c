import { runBestEngine } from '../../core/inference/engine-ladder.ts';
import { OperationError } from '../../core/operation/errors.ts';
import type { OutputFile, RunResult } from '../../core/operation/run-result.ts';
import type { ImageCodec } from '../../core/runtime/image-codec.ts';
import { progressSpan, steps } from '../../core/runtime/progress.ts';
import type { Raster } from '../../core/runtime/raster.ts';
import { formatWarning, type RunWarning, WarningSet } from '../../core/runtime/run-warnings.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { firstFrame } from '../../kernels/raster/picture.ts';
import { isGrey, isOpaque, makeGrey } from '../../kernels/raster/pixel-format.ts';
import { fitWithin, resizeColours } from '../../kernels/raster/resize.ts';
import { scaleRaster } from '../../kernels/raster/scale-raster.ts';
import { encodeRaster } from '../../media/image/raster-files.ts';
import { listLostImages } from '../../media/image/read-contents.ts';
import { moderateImage } from '../../moderation/moderate-image.ts';
import { acceptsPrompt, PATCHES_ENGINE } from './engines.ts';
import { createExtenders } from './extenders.ts';
import { FILL_QUALITY_LOW, type FillEstimate, type FillWeakness } from './fill/estimate-fill.ts';
import { leaveFrameOut, restoreFrame } from './frame.ts';
import { computeExtent } from './geometry.ts';
import { type OutpaintParams, resultSeeds } from './schema.ts';
import { TEXT_MODELS } from './text-models.ts';

/** Longest side that the networks need. */
const SIDE_MAX = 2048;

const SEVERITY_MEDIUM = 4;

export const STEPS = steps({ decoding: 0.03, extending: 0.97 });

/** Steps of each result. */
export const RESULT_STEPS = steps({ 'loading the model': 0.1, extending: 0.8, encoding: 0.1 });

const CAUSES: Readonly<Record<FillWeakness, string>> = {
  subject: 'the border cuts its subject',
  structure: 'the border cuts lines and shapes',
  margin: 'the added area is large next to it',
};

/**
 * Extends an image. It becomes upright, in sRGB, without metadata; PNG keeps 16 bits per sample.
 * @throws OperationError `unprocessable` when the image is corrupt or a result fails the safety check
 */
export async function run(input: Blob, params: OutpaintParams, runtime: Runtime): Promise<RunResult> {
  const { images, inference, signal } = runtime;
  const { prompt } = params;
  const { step } = STEPS.of(runtime.progress);
  const { picture, image, extent, unframed } = await step('decoding', () => decode(input, params, runtime));
  const enginesFor = createExtenders({ ...unframed, prompt }, runtime);
  const seeds = resultSeeds(params, Math.floor(Math.random() * 2 ** 32));
  const files: OutputFile[] = [];
  const found = new WarningSet(picture.warnings);
  found.add(...(await listLostImages(new Uint8Array(await input.arrayBuffer()))));
  let chosen = params.engine;
  let ran = '';
  const estimate = await step('extending', async (progress) => {
    let expected: FillEstimate | null = null;
    for (const [at, seed] of seeds.entries()) {
      const ends = (at + 1) / seeds.length;
      const result = RESULT_STEPS.of(progressSpan(progress, at / seeds.length, ends));
      const engines = enginesFor({ seed, onProgress: result.span('extending') });
      const ladder = { engine: chosen, isNamed: params.engine !== 'auto', purpose: 'extends images', signal };
      const onProgress = result.span('loading the model');
      const made = await runBestEngine(inference, engines, { ...ladder, onProgress });
      // All results of a run come from one engine.
      chosen = made.id;
      const { raster } = made.value;
      expected = made.value.estimate;
      restoreFrame(raster, image, extent, unframed);
      if (isGrey(image)) makeGrey(raster);
      ran = made.engine;
      found.add(...made.warnings);
      if (params.enable_safety_checker) {
        found.add(...(await assertSafe(raster, runtime, made.id === PATCHES_ENGINE)));
      }
      files.push(await result.step('encoding', () => encode(raster, seed, params, { images, signal })));
      progress({ fraction: ends });
    }
    return expected;
  });
  if (prompt.trim() !== '' && !acceptsPrompt(chosen)) {
    found.add(formatWarning('prompt_unread', params.engine, TEXT_MODELS.map(({ id }) => id).join(' or ')));
  }
  if (estimate) found.add(...getWarnings(estimate));
  const fill_quality = estimate && Math.round(estimate.quality * 100) / 100;
  return { files, engine: ran, warnings: [...found], details: { seeds, fill_quality } };
}

function getWarnings({ quality, weakness }: FillEstimate): readonly RunWarning[] {
  if (quality >= FILL_QUALITY_LOW) return [];
  return [formatWarning('weak_fill', CAUSES[weakness ?? 'structure'])];
}

async function decode(input: Blob, params: OutpaintParams, { images, signal }: Runtime) {
  const picture = await images.decode(input, { frames: 'first', colour: 'srgb', signal });
  const extent = computeExtent(picture, params);
  const original = await firstFrame(picture);
  const image = scaleRaster(original, extent.kept.width, extent.kept.height);
  return { picture, image, extent, unframed: leaveFrameOut(original, image, extent) };
}

async function encode(
  raster: Raster,
  seed: number,
  { output_format }: OutpaintParams,
  { images, signal }: { readonly images: ImageCodec; readonly signal: AbortSignal },
): Promise<OutputFile> {
  const format = output_format === 'jpg' ? 'jpeg' : output_format;
  const file = await encodeRaster(raster, { format, hasAlpha: !isOpaque(raster) }, { images, signal });
  return { ...file, name: `extended-${seed}.${output_format}` };
}

/**
 * Judges a result with the models of `image-moderation`.
 * @param isOwnContent whether the result only repeats what the image itself shows: then it needs no judge
 * @returns warnings
 * @throws OperationError `unprocessable` when it has sexual content of medium or high severity; `unavailable` when
 * nothing
 *   judges a result that a model painted
 */
async function assertSafe(
  raster: Raster,
  { inference, signal }: Pick<Runtime, 'inference' | 'signal'>,
  isOwnContent: boolean,
): Promise<readonly RunWarning[]> {
  const { width, height } = fitWithin(raster, SIDE_MAX);
  const colours = resizeColours(raster, width, height);
  try {
    const { severities } = await moderateImage(inference, colours, {
      categories: ['Sexual'],
      engine: 'auto',
      signal,
    });
    if ((severities.get('Sexual') ?? 0) < SEVERITY_MEDIUM) return [];
  } catch (thrown) {
    const isMissing = thrown instanceof OperationError && thrown.code === 'unavailable';
    if (!isMissing || !isOwnContent) throw thrown;
    return [formatWarning('not_judged')];
  }
  throw new OperationError(
    'unprocessable',
    'The safety checker found sexual content in the result. Set enable_safety_checker to false if that is intended.',
    { kind: 'unsafe' },
  );
}
