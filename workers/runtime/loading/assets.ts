import { OperationError } from '../../../models/operation/errors.ts';
import { loadingProgress, type ReportProgress } from '../../../models/runtime/progress.ts';
import type { ProgressMeter } from '../../../models/runtime/progress-meter.ts';
import { AUDIO_DIARIZE_WEIGHTS } from '../../../models/weights/audio-diarize.ts';
import { AUDIO_SEPARATE_STEMS_WEIGHTS } from '../../../models/weights/audio-separate-stems.ts';
import { UPSCALE_WEIGHTS } from '../../../models/weights/upscale.ts';

/** Context of a run for the parts of the runtime that load files. */
export interface Loading {
  readonly signal: AbortSignal;
  readonly meter: ProgressMeter;
}

/** File that a package loads at run time. The bundler copies it, so that it comes from our own origin. */
export interface Asset {
  readonly url: string;
  /** Uncompressed size, which a compressed response does not state. Used for progress only. */
  readonly bytes: number;
}

/**
 * The files are named by path, as their packages export no name for all of them; a bundler finds only the form `new
 * URL('...', import.meta.url)`.
 */
export const ASSETS = {
  magickWasm: asset(
    new URL('../../../node_modules/@imagemagick/magick-wasm/dist/x86/magick.wasm', import.meta.url),
    14_828_458,
  ),
  ffmpegCore: asset(
    new URL('../../../node_modules/@ffmpeg/core-mt/dist/esm/ffmpeg-core.js', import.meta.url),
    128_947,
  ),
  ffmpegWasm: asset(
    new URL('../../../node_modules/@ffmpeg/core-mt/dist/esm/ffmpeg-core.wasm', import.meta.url),
    32_718_323,
  ),
  ffmpegWorker: asset(
    new URL('../../../node_modules/@ffmpeg/core-mt/dist/esm/ffmpeg-core.worker.js', import.meta.url),
    2_115,
  ),
  onnxWasm: asset(
    new URL('../../../node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm', import.meta.url),
    14_239_897,
  ),
  onnxWebgpu: asset(
    new URL(
      '../../../node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.asyncify.wasm',
      import.meta.url,
    ),
    26_781_914,
  ),
} as const satisfies Record<string, Asset>;

/** Weights that ship with the page, by file name. Their cards state their size. */
export const BUNDLED_WEIGHTS: Readonly<Record<string, Asset>> = {
  'matte.onnx': asset(new URL('../../../models/weights/matte.onnx', import.meta.url), 3_458_654),
  'nsfw-mobilenet.onnx': asset(
    new URL('../../../models/weights/nsfw-mobilenet.onnx', import.meta.url),
    2_791_924,
  ),
  'overlap.onnx': asset(
    new URL('../../../models/weights/overlap.onnx', import.meta.url),
    AUDIO_DIARIZE_WEIGHTS.overlap.bytes,
  ),
  'silero-vad.onnx': asset(
    new URL('../../../models/weights/silero-vad.onnx', import.meta.url),
    AUDIO_DIARIZE_WEIGHTS['silero-vad'].bytes,
  ),
  'speakers.onnx': asset(
    new URL('../../../models/weights/speakers.onnx', import.meta.url),
    AUDIO_DIARIZE_WEIGHTS.speakers.bytes,
  ),
  'stems.onnx': asset(
    new URL('../../../models/weights/stems.onnx', import.meta.url),
    AUDIO_SEPARATE_STEMS_WEIGHTS.stems.bytes,
  ),
  'upscale-fast-x2.onnx': asset(
    new URL('../../../models/weights/upscale-fast-x2.onnx', import.meta.url),
    UPSCALE_WEIGHTS['upscale-fast-x2'].bytes,
  ),
  'upscale-x2.onnx': asset(
    new URL('../../../models/weights/upscale-x2.onnx', import.meta.url),
    UPSCALE_WEIGHTS['upscale-x2'].bytes,
  ),
  'upscale-restore-x2.onnx': asset(
    new URL('../../../models/weights/upscale-restore-x2.onnx', import.meta.url),
    UPSCALE_WEIGHTS['upscale-restore-x2'].bytes,
  ),
  'upscale-x4.onnx': asset(
    new URL('../../../models/weights/upscale-x4.onnx', import.meta.url),
    UPSCALE_WEIGHTS['upscale-x4'].bytes,
  ),
};

/** Resolves an asset's URL: some bundlers emit a path without an origin. */
function asset({ href }: URL, bytes: number): Asset {
  return { url: new URL(href, location.origin).href, bytes };
}

/**
 * Loads and compiles one of our WebAssembly files while it arrives, and counts it in the run's progress.
 * @throws OperationError `unavailable` when it cannot be loaded
 */
export async function loadWasm(file: Asset, { signal, meter }: Loading): Promise<WebAssembly.Module> {
  const onProgress = meter.download();
  return await load(file, { signal, onProgress }, (counted) =>
    WebAssembly.compileStreaming(new Response(counted, { headers: { 'content-type': 'application/wasm' } })),
  );
}

export interface AssetOptions {
  readonly signal: AbortSignal;
  readonly onProgress: ReportProgress;
}

/**
 * Loads a file's bytes.
 * @throws OperationError `unavailable` when it cannot be loaded
 */
export async function loadBytes(file: Asset, options: AssetOptions): Promise<Uint8Array<ArrayBuffer>> {
  return await load(
    file,
    options,
    async (counted) => new Uint8Array(await new Response(counted).arrayBuffer()),
  );
}

async function load<Result>(
  { url, bytes }: Asset,
  { signal, onProgress }: AssetOptions,
  use: (counted: ReadableStream<Uint8Array<ArrayBuffer>>) => Promise<Result>,
): Promise<Result> {
  try {
    const response = await fetch(url, { signal });
    if (!response.ok || !response.body) throw new Error(`${response.status} ${response.statusText}`);
    return await use(response.body.pipeThrough(counter(bytes, onProgress)));
  } catch (cause) {
    signal.throwIfAborted();
    throw new OperationError(
      'unavailable',
      `A part of the page could not be loaded from ${url}. Check the connection and try again.`,
      { kind: 'part_missing', cause },
    );
  }
}

/** Passes bytes on, and reports progress. */
function counter(
  totalBytes: number,
  report: ReportProgress,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let receivedBytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      receivedBytes += chunk.length;
      report(loadingProgress({ receivedBytes, totalBytes }));
      controller.enqueue(chunk);
    },
  });
}
