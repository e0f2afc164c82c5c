import { runBestEngine } from '../../core/inference/engine-ladder.ts';
import type { OutputFile } from '../../core/operation/run-result.ts';
import type { ImageCodec } from '../../core/runtime/image-codec.ts';
import type { Inference } from '../../core/runtime/inference.ts';
import type { ReportProgress } from '../../core/runtime/progress.ts';
import type { PixelRegion, Raster } from '../../core/runtime/raster.ts';
import type { RunWarning } from '../../core/runtime/run-warnings.ts';
import { extractRegion, scaleRegion } from '../../kernels/raster/crop.ts';
import { assembleStrips, getPicture, getStrips } from '../../kernels/raster/picture.ts';
import { chooseImageFormat } from '../../media/image/output-format.ts';
import { encodeRaster } from '../../media/image/raster-files.ts';
import { ladderOptions, type OpenPasses, upscaleEngines } from './engines.ts';
import { stepOf } from './plan-passes.ts';
import { enlargeImage, type Still } from './run-image.ts';
import type { UpscaleParams } from './schema.ts';
import { tiledPixels } from './tile-regions.ts';
import { classifyInput } from './upscaled-input.ts';

/** Enlarged part of an image. */
export interface EnlargedRegion {
  /** `region` times the factor. */
  readonly raster: Raster;
  /** Engine and execution provider: `darkroom on wasm`. */
  readonly engine: string;
  /** Sentences for the user. */
  readonly warnings: readonly RunWarning[];
  /** Time that the networks took, without what they loaded before. */
  readonly seconds: number;
  /** Time that the networks would take for the whole image at the same pace. */
  readonly wholeSeconds: number;
}

export interface RegionOptions {
  readonly inference: Inference;
  readonly signal: AbortSignal;
  /** Whether the fastest engine comes first: for frames of a video. */
  readonly isFast: boolean;
  readonly onProgress: ReportProgress;
}

/**
 * Enlarges a part of an image, with as much around it as the networks see: the result is the same as that part of the
 * whole image's.
 * @param region within the image, in its pixels
 * @throws OperationError `unavailable` when no model is available
 */
export async function enlargeRegion(
  { raster, hasAlpha }: Still,
  region: PixelRegion,
  params: UpscaleParams,
  { inference, signal, isFast, onProgress }: RegionOptions,
): Promise<EnlargedRegion> {
  const engines = upscaleEngines(params, {
    inference,
    signal,
    input: isFast ? 'video' : classifyInput(raster, params.scale),
    work: async (passes) => {
      const startedAtMs = performance.now();
      const around = surroundings(raster, region, passes);
      const source = getPicture(extractRegion(raster, around), { hasAlpha, metadata: {} });
      const enlarged = await assembleStrips(enlargeImage(getStrips(source), passes, { signal, onProgress }));
      const seconds = (performance.now() - startedAtMs) / 1000;
      const share = getWork(raster, passes) / getWork(around, passes);
      const inner = { ...region, left: region.left - around.left, top: region.top - around.top };
      return {
        raster: extractRegion(enlarged, scaleRegion(inner, params.scale)),
        seconds,
        wholeSeconds: seconds * share,
      };
    },
  });
  const { value, engine, warnings } = await runBestEngine(
    inference,
    engines,
    ladderOptions(params, 'images', signal),
  );
  return { ...value, engine, warnings };
}

/** Extends a region by all that the networks see, within the image, from where one of their tiles can begin. */
function surroundings(image: Raster, region: PixelRegion, { networks }: OpenPasses): PixelRegion {
  const grid = Math.max(...networks.map(({ network }) => network.multipleOf));
  let factor = 1;
  let margin = 0;
  for (const { network } of networks) {
    margin += Math.ceil(network.margin / factor);
    factor *= stepOf(network);
  }
  const getStart = (from: number) => Math.floor(Math.max(0, from - margin) / grid) * grid;
  const [left, top] = [getStart(region.left), getStart(region.top)];
  const right = Math.min(image.width, region.left + region.width + margin);
  const bottom = Math.min(image.height, region.top + region.height + margin);
  return { left, top, width: right - left, height: bottom - top };
}

/** Returns the pixels that the last network computes, which takes the longest. */
function getWork({ width, height }: Pick<PixelRegion, 'width' | 'height'>, { networks }: OpenPasses): number {
  let factor = 1;
  for (const { network } of networks.slice(0, -1)) factor *= stepOf(network);
  const last = networks.at(-1)?.network;
  return last ? tiledPixels({ width: width * factor, height: height * factor }, last) : 0;
}

/** Encodes an enlarged region as a whole result is. */
export async function saveRegion(
  { raster }: EnlargedRegion,
  { hasAlpha }: Still,
  { output_format }: UpscaleParams,
  { images, signal }: { readonly images: ImageCodec; readonly signal: AbortSignal },
): Promise<OutputFile> {
  return await encodeRaster(
    raster,
    { format: chooseImageFormat(output_format), hasAlpha },
    { images, signal },
  );
}
