import { OperationError } from '../../models/core/operation/errors.ts';
import {
  loadingProgress,
  type ProgressMeter,
  type ReportProgress,
} from '../../models/core/runtime/progress.ts';

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
 * URL('...', import.meta.url)`. Each path climbs to the root of the tree, which is also that of a page for tests.
 */
export const ASSETS = {
  vips: asset(new URL('../../workers/vendor/vips-es6.js', import.meta.url), 83_860),
  vipsWasm: asset(new URL('../../node_modules/wasm-vips/lib/vips.wasm', import.meta.url), 5_154_052),
  vipsHeif: asset(new URL('../../node_modules/wasm-vips/lib/vips-heif.wasm', import.meta.url), 3_802_681),
  ffmpegCore: asset(
    new URL('../../node_modules/@ffmpeg/core-mt/dist/esm/ffmpeg-core.js', import.meta.url),
    128_947,
  ),
  ffmpegWasm: asset(
    new URL('../../node_modules/@ffmpeg/core-mt/dist/esm/ffmpeg-core.wasm', import.meta.url),
    32_718_323,
  ),
  ffmpegWorker: asset(
    new URL('../../node_modules/@ffmpeg/core-mt/dist/esm/ffmpeg-core.worker.js', import.meta.url),
    2_115,
  ),
  convolution: asset(new URL('../../workers/runtime/convolution/convolution.wasm', import.meta.url), 8_677),
  convolutionFused: asset(
    new URL('../../workers/runtime/convolution/convolution-fused.wasm', import.meta.url),
    8_005,
  ),
  convolutionHelper: asset(new URL('../../workers/vendor/convolution-helper.js', import.meta.url), 5_500),
  onnxWasm: asset(
    new URL('../../node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm', import.meta.url),
    14_239_897,
  ),
  onnxWebgpu: asset(
    new URL('../../node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.asyncify.wasm', import.meta.url),
    26_781_914,
  ),
} as const satisfies Record<string, Asset>;

/** Resolves an asset's URL: some bundlers emit a path without an origin. */
export function asset({ href }: URL, bytes: number): Asset {
  return { url: new URL(href, location.origin).href, bytes };
}

/**
 * Loads and compiles one of our WebAssembly files while it arrives, and counts it in the run's progress.
 * @throws OperationError `unavailable` when it cannot be loaded
 */
export async function loadWasm(file: Asset, { signal, meter }: Loading): Promise<WebAssembly.Module> {
  const options = { signal, onProgress: meter.download() };
  return await load(file, options, (response) => WebAssembly.compileStreaming(response));
}

export interface AssetOptions {
  readonly signal: AbortSignal;
  readonly onProgress: ReportProgress;
}

/**
 * Loads a file, and returns the response to its request once all of it has arrived.
 * @throws OperationError `unavailable` when it cannot be loaded
 */
export async function loadResponse(file: Asset, options: AssetOptions): Promise<Response> {
  return await load(file, options, async (response) => response);
}

/**
 * Loads a file's bytes.
 * @throws OperationError `unavailable` when it cannot be loaded
 */
export async function loadBytes(file: Asset, options: AssetOptions): Promise<Uint8Array<ArrayBuffer>> {
  return await load(file, options, async (response) => new Uint8Array(await response.arrayBuffer()));
}

/**
 * Requests a file, and reports its progress while `use` reads it.
 * @param use gets the response itself: browsers keep compiled code for the next visit only where they compile such a
 *   one, and no bytes or stream of ours
 */
async function load<Result>(
  { url, bytes }: Asset,
  { signal, onProgress }: AssetOptions,
  use: (response: Response) => Promise<Result>,
): Promise<Result> {
  // A server that does not respond yet is waited for, too.
  onProgress(loadingProgress({ receivedBytes: 0, totalBytes: bytes }));
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    const counted = response.clone().body?.pipeTo(counter(bytes, onProgress));
    const [result] = await Promise.all([use(response), counted]);
    return result;
  } catch (cause) {
    signal.throwIfAborted();
    throw new OperationError(
      'unavailable',
      `A part of the page could not be loaded from ${url}. Check the connection and try again.`,
      { kind: 'part_missing', cause },
    );
  }
}

/** Reports the progress of the bytes that are written to it. */
function counter(totalBytes: number, report: ReportProgress): WritableStream<Uint8Array<ArrayBuffer>> {
  let receivedBytes = 0;
  return new WritableStream({
    write(chunk) {
      receivedBytes += chunk.length;
      report(loadingProgress({ receivedBytes, totalBytes }));
    },
  });
}
