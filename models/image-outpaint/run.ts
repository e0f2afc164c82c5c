import type { ImageCodec } from '../image-codec.ts';
import { type Engine, runBestEngine } from '../inference/engine-ladder.ts';
import { extendRaster } from '../kernels/fill/extend-raster.ts';
import { randomFrom } from '../kernels/random.ts';
import { firstFrame } from '../kernels/raster/first-frame.ts';
import { isOpaque } from '../kernels/raster/opaque.ts';
import { pictureOf } from '../kernels/raster/raster-picture.ts';
import { scaleRaster } from '../kernels/raster/scale-raster.ts';
import type { OutputFile, RunResult } from '../operation.ts';
import { progressSpan } from '../progress.ts';
import { type FloatImage, type Raster, WHITE } from '../raster.ts';
import type { Runtime } from '../runtime.ts';
import { assertSafe } from './assert-safe.ts';
import { findAvoided } from './find-avoided.ts';
import { type Extent, extentOf } from './geometry.ts';
import { GUIDE_NETWORKS, paintGuide } from './guides.ts';
import { PATCHES_ENGINE } from './outpaint-engines.ts';
import type { OutpaintParams } from './schema.ts';

/** Quality without visible loss. */
const QUALITY = 92;
/** Shares of the run time after which the image is decoded, and after which the guide is painted or the subject found. */
const [DECODED, PREPARED] = [0.03, 0.2];
/** Share of a result's own time after which it is extended. */
const EXTENDED = 0.9;

/**
 * Extends an image. It becomes upright, in sRGB, without metadata; PNG keeps 16 bits per sample.
 * @throws OperationError `unprocessable` when the image is corrupt or a result fails the safety check
 */
export async function run(input: Blob, params: OutpaintParams, runtime: Runtime): Promise<RunResult> {
  const { images, inference, signal } = runtime;
  runtime.progress(0, undefined, 'decoding');
  const picture = await images.decode(input, { frames: 'first', colour: 'srgb', signal });
  const extent = extentOf(picture, params);
  const image = scaleRaster(await firstFrame(picture), extent.kept.width, extent.kept.height);
  runtime.progress(DECODED, undefined, 'extending');
  const { value, id, engine, warnings } = await runBestEngine(
    inference,
    guideEngines(image, extent, signal),
    {
      ...{ engine: params.engine, purpose: 'extends images', signal },
      onProgress: progressSpan(runtime.progress, DECODED, PREPARED / 2),
    },
  );
  runtime.progress(PREPARED / 2);
  // A network has decided what to show; otherwise the subject would be the easiest thing to show again.
  const avoided = value ? undefined : await findAvoided(image, runtime);
  runtime.progress(PREPARED);
  const seeds = seedsOf(params);
  const files: OutputFile[] = [];
  const found = new Set([...(picture.warnings ?? []), ...warnings]);
  if (params.prompt.trim() !== '') {
    found.add(
      'prompt: it was not applied, since no engine that reads text is available. The image was extended without it.',
    );
  }
  for (const [at, seed] of seeds.entries()) {
    const share = (1 - PREPARED) / seeds.length;
    const from = PREPARED + at * share;
    const onProgress = progressSpan(runtime.progress, from, from + EXTENDED * share);
    const extended = extendRaster(image, extent, {
      guide: value,
      avoided,
      random: randomFrom(seed),
      signal,
      onProgress,
    });
    if (params.enable_safety_checker) {
      for (const warning of await assertSafe(extended, runtime, id === PATCHES_ENGINE)) found.add(warning);
    }
    files.push(await encode(extended, seed, params, { images, signal }));
    runtime.progress(from + share);
  }
  return { files, engine, warnings: [...found], details: { seeds } };
}

/** Lists the engines: networks that paint a guide for the patches, and the patches without one. */
function guideEngines(
  image: Raster,
  extent: Extent,
  signal: AbortSignal,
): readonly Engine<FloatImage | undefined>[] {
  const networks = GUIDE_NETWORKS.map(
    (network): Engine<FloatImage | undefined> => ({
      id: network.card.id,
      card: network.card,
      async run(session) {
        const { guide, provider, notices } = await paintGuide(network, session, { image, extent, signal });
        return { value: guide, provider, notices };
      },
    }),
  );
  return [...networks, { id: PATCHES_ENGINE, card: null, run: async () => ({ value: undefined }) }];
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
