import type { FFmpeg } from '@ffmpeg/ffmpeg';
import type { Loading } from '../loading/assets.ts';
import { loadFfmpeg } from './load-ffmpeg.ts';

/** More threads have crashed this build. */
export const ONE_THREAD = ['-threads', '1'];

/**
 * Yields what `read` reads with an ffmpeg.wasm of its own, which ends when the reading ends or the run is aborted.
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
