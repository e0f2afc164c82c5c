import type { FFmpeg } from '@ffmpeg/ffmpeg';
import { OperationError } from '../../../models/operation/errors.ts';
import { ASSETS, type Loading, loadBytes } from '../loading/assets.ts';

/** Path of the package's modules in the build. The package starts its worker by a path that no bundler follows. */
const FFMPEG_MODULE = '/vendor/ffmpeg/index.js';

/**
 * Checks that ffmpeg.wasm can run on this page: its threads share memory.
 * @param need use of it, as the start of the message
 * @throws OperationError `unavailable` on a page that is not cross-origin isolated
 */
export function assertCanRunFfmpeg(need: string): void {
  if (globalThis.crossOriginIsolated && typeof SharedArrayBuffer !== 'undefined') return;
  throw new OperationError(
    'unavailable',
    `${need} needs SharedArrayBuffer, which this page cannot use. Run it on the server.`,
    { kind: 'no_codecs' },
  );
}

/**
 * Starts ffmpeg.wasm in a worker of its own. The caller ends it with `terminate`, which frees its memory, and starts
 * another after a failed call.
 * @param need use of it, as the start of a message
 * @throws OperationError `unavailable` on a page that is not cross-origin isolated, or when it cannot be loaded
 */
export async function loadFfmpeg(loading: Loading, need: string): Promise<FFmpeg> {
  assertCanRunFfmpeg(need);
  const { signal, meter } = loading;
  const url = new URL(FFMPEG_MODULE, location.origin).href;
  const [module, wasm] = await Promise.all([
    import(/* turbopackIgnore: true */ url) as Promise<typeof import('@ffmpeg/ffmpeg')>,
    loadBytes(ASSETS.ffmpegWasm, { signal, onProgress: meter.download() }),
  ]).catch((cause: unknown) => {
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
    await ffmpeg.load({
      coreURL: ASSETS.ffmpegCore.url,
      wasmURL,
      workerURL: ASSETS.ffmpegWorker.url,
    });
  } catch (cause) {
    ffmpeg.terminate();
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
