import type { FFmpeg } from '@ffmpeg/ffmpeg';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { ASSETS, type Loading, loadBytes } from '../assets.ts';
import { canShareMemory } from '../shared-memory.ts';

/** More threads have crashed this build. */
export const ONE_THREAD = ['-threads', '1'];
/** Paths of the package's modules in the build. The package starts its worker by a path that no bundler follows. */
const FFMPEG_MODULE = '/vendor/ffmpeg/index.js';
const FFMPEG_WORKER = '/vendor/ffmpeg/worker.js';
/** Files of the package's worker, which waits for ever where one is missing, so they are asked for beforehand. */
const WORKER_FILES = [FFMPEG_WORKER, ASSETS.ffmpegCore.url, ASSETS.ffmpegWorker.url];

/**
 * Checks that ffmpeg.wasm can run on this page: its threads share memory.
 * @param need use of it, as the start of the message
 * @throws OperationError `unavailable` on a page that is not cross-origin isolated
 */
export function assertCanRunFfmpeg(need: string): void {
  if (canShareMemory()) return;
  throw new OperationError(
    'unavailable',
    `${need} needs SharedArrayBuffer, which this page cannot use. Run it on the server.`,
    { kind: 'no_codecs' },
  );
}

/**
 * Starts ffmpeg.wasm in its own worker. The caller ends it with `terminate`, which frees its memory, and starts
 * another after a failed call.
 * @param need use of it, as the start of a message
 * @throws OperationError `unavailable` on a page that is not cross-origin isolated, or when it cannot be loaded
 */
export async function loadFfmpeg(loading: Loading, need: string): Promise<FFmpeg> {
  assertCanRunFfmpeg(need);
  const { signal, meter } = loading;
  const url = new URL(FFMPEG_MODULE, location.origin).href;
  // Where one part is missing, the others need not arrive.
  const failed = new AbortController();
  const parts = AbortSignal.any([signal, failed.signal]);
  const [module, wasm] = await Promise.all([
    import(/* turbopackIgnore: true */ url) as Promise<typeof import('@ffmpeg/ffmpeg')>,
    loadBytes(ASSETS.ffmpegWasm, { signal: parts, onProgress: meter.download() }),
    ...WORKER_FILES.map((path) => fetchFile(path, parts)),
  ]).catch((cause: unknown) => {
    failed.abort();
    signal.throwIfAborted();
    throw new OperationError(
      'unavailable',
      'A part of the page could not be loaded. Check the connection and try again.',
      { kind: 'part_missing', cause },
    );
  });
  const wasmURL = URL.createObjectURL(new Blob([wasm], { type: 'application/wasm' }));
  const ffmpeg = new module.FFmpeg();
  try {
    await ffmpeg.load(
      {
        coreURL: ASSETS.ffmpegCore.url,
        wasmURL,
        workerURL: ASSETS.ffmpegWorker.url,
      },
      { signal },
    );
  } catch (cause) {
    ffmpeg.terminate();
    signal.throwIfAborted();
    throw new OperationError(
      'unavailable',
      'ffmpeg.wasm does not start in this browser. Run it on the server.',
      { kind: 'no_codecs', cause },
    );
  } finally {
    URL.revokeObjectURL(wasmURL);
  }
  return ffmpeg;
}

/** Reads a file into the browser's cache. */
async function fetchFile(path: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(new URL(path, location.origin), { signal });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`);
  await response.arrayBuffer();
}

/**
 * Yields what `read` reads with its own ffmpeg.wasm, which ends when the reading ends or the run is aborted.
 * @param need use of it, as the start of a message
 * @throws OperationError as `loadFfmpeg`; after an abort its reason, whatever `read` throws then
 */
export async function* readWithFfmpeg<Item>(
  loading: Loading,
  need: string,
  read: (ffmpeg: FFmpeg) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const { signal } = loading;
  const ffmpeg = await loadFfmpeg(loading, need);
  const end = () => ffmpeg.terminate();
  signal.addEventListener('abort', end);
  try {
    yield* read(ffmpeg);
  } catch (thrown) {
    signal.throwIfAborted();
    throw thrown;
  } finally {
    signal.removeEventListener('abort', end);
    ffmpeg.terminate();
  }
}
