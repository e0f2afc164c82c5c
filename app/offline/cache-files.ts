import { OperationError } from '../../models/core/operation/errors.ts';
import { runSlots } from '../../workers/bridge/run-slots.ts';
import type { CachedUrls, OfflineBuild, OfflineFile } from './offline-build.ts';

/** As in public/offline.js. */
const PREFIX = 'studio-';
const COPY_HEADER = 'offline-copy';
const AT_ONCE_MAX = 4;

/**
 * Asks the newest service worker for the build that it serves: the next page opens with it.
 * @returns never where service workers are denied
 */
export async function describeBuild(): Promise<OfflineBuild> {
  const { waiting, active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const described = new Promise<OfflineBuild>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  (waiting ?? active)?.postMessage('describe', [port2]);
  return described;
}

export async function cachedUrls({ id }: OfflineBuild): Promise<CachedUrls> {
  const cache = await caches.open(PREFIX + id);
  return new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
}

export async function deleteFiles({ id }: OfflineBuild, urls: readonly string[]): Promise<void> {
  const cache = await caches.open(PREFIX + id);
  await Promise.all(urls.map((url) => cache.delete(url, { ignoreVary: true })));
}

/** Deletes everything that is cached. The next visit starts again. */
export async function deleteAllFiles(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  await Promise.all(registrations.map((registration) => registration.unregister()));
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  await Promise.all(names.map((name) => caches.delete(name)));
}

interface CacheOptions {
  readonly signal: AbortSignal;
  /** @param sentBytes received so far, as `OfflineFile.sentBytes` counts them */
  readonly onProgress: (sentBytes: number) => void;
  /** Whether nobody waits for the files. Then they come one at a time, and none while a run needs the processor. */
  readonly isBackground: boolean;
}

/**
 * Caches files, a few at a time. A later call continues with the files that are missing.
 * @throws OperationError `unavailable` when a file cannot be loaded or stored
 * @throws the signal's reason
 */
export async function cacheFiles(
  { id }: OfflineBuild,
  files: readonly OfflineFile[],
  { signal, onProgress, isBackground }: CacheOptions,
): Promise<void> {
  const cache = await caches.open(PREFIX + id);
  const queue = [...files];
  let receivedBytes = 0;
  const take = async () => {
    while (queue.length > 0) {
      if (isBackground) await runSlots.idle(signal);
      const file = queue.shift();
      if (!file) return;
      const { sentBytes } = file;
      let fraction = 0;
      await cacheFile(cache, file, signal, (done) => {
        receivedBytes += (done - fraction) * sentBytes;
        fraction = done;
        onProgress(receivedBytes);
      });
    }
  };
  await Promise.all(Array.from({ length: isBackground ? 1 : AT_ONCE_MAX }, take));
}

async function cacheFile(
  cache: Cache,
  { url, bytes }: OfflineFile,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<void> {
  try {
    const response = await fetch(url, { signal, headers: { [COPY_HEADER]: '1' } });
    if (!response.ok || !response.body) throw new Error(`${response.status} ${response.statusText}`);
    let received = 0;
    const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        received += chunk.length;
        // The last report comes once the file is stored.
        if (bytes > 0) onProgress(Math.min(0.99, received / bytes));
        controller.enqueue(chunk);
      },
    });
    const { status, headers } = response;
    await cache.put(url, new Response(response.body.pipeThrough(counter), { status, headers }));
    onProgress(1);
  } catch (cause) {
    signal.throwIfAborted();
    throw failureOf(cause);
  }
}

function failureOf(cause: unknown): OperationError {
  const isFull = cause instanceof DOMException && cause.name === 'QuotaExceededError';
  const message = isFull
    ? 'This browser has no more storage for this site. Delete models or results, then continue.'
    : 'The download stopped. Check your connection, then continue: what has arrived is kept.';
  return new OperationError('unavailable', message, { cause });
}
