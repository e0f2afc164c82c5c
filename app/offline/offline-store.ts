'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { Cell } from '../../models/core/cell.ts';
import { getMessage, OperationError } from '../../models/core/operation/errors.ts';
import { runSlots } from '../../workers/bridge/run-slots.ts';
import {
  type CachedUrls,
  deletableUrls,
  getSentBytes,
  missingFiles,
  type OfflineBuild,
  type OfflineFile,
  type OfflinePart,
} from './offline-build.ts';

/** As in public/offline.js. */
const PREFIX = 'studio-';

const COPY_HEADER = 'offline-copy';

const AT_ONCE_MAX = 4;

interface CacheOptions {
  readonly signal: AbortSignal;
  /** @param sentBytes received so far, as `OfflineFile.sentBytes` counts them */
  readonly onProgress: (sentBytes: number) => void;
  /** Whether the visitor does not wait for the files. Then they come one at a time, and none while a run needs the processor. */
  readonly isBackground: boolean;
}

/** Part of the build that this browser has, and the download that runs. */
export interface Offline {
  readonly build: OfflineBuild;
  readonly cached: CachedUrls;
  readonly download?: { readonly sentBytes: number; readonly totalBytes: number };
  /** Why the last download ended early. */
  readonly problem?: string;
}

/** Reason of a stop by the visitor, which is no problem. */
const STOPPED = new DOMException('The download was stopped.', 'AbortError');

/** Download in progress. */
interface Running {
  readonly controller: AbortController;
  /** Whether it started automatically: another download replaces it. */
  readonly isBackground: boolean;
  /** Settles with it. */
  readonly ended: Promise<void>;
}

const offline = new Cell<Offline | undefined>(undefined);

let running: Running | undefined;

export function canWorkOffline(): boolean {
  return process.env.NODE_ENV === 'production' && 'serviceWorker' in navigator && 'caches' in globalThis;
}

/** Returns what is available offline; undefined until it is read, and where service workers are denied. */
export function useOffline(): Offline | undefined {
  const current = useSyncExternalStore(offline.subscribe, offline.get, () => undefined);
  useEffect(() => {
    // A tool that was used has cached files by itself. Where the cache is denied nothing is shown.
    if (canWorkOffline() && !running) readOffline().catch(() => {});
  }, []);
  return current;
}

async function readOffline(): Promise<Offline> {
  const build = await describeBuild();
  const read = { build, cached: await cachedUrls(build) };
  offline.set(read);
  return read;
}

/** Caches whatever is missing. A problem is published, not thrown. */
export async function downloadAll(): Promise<void> {
  if (running?.isBackground) {
    stopDownload();
    await running.ended;
  }
  await download(() => true, {
    isBackground: false,
    onFailure: async (thrown) => offline.set({ ...(await readOffline()), problem: getMessage(thrown) }),
  });
}

/**
 * Caches what is missing of the tool at a path, while no run needs the processor. A failure has no effect: the next
 * visit continues.
 */
export async function downloadTool(path: string): Promise<void> {
  await download(({ id }) => path === `/${id}`, { isBackground: true, onFailure: async () => {} });
}

interface DownloadOptions {
  readonly isBackground: boolean;
  readonly onFailure: (thrown: unknown) => Promise<void>;
}

/** One download runs at a time: another call during one has no effect. */
async function download(
  isWanted: (part: OfflinePart) => boolean,
  { isBackground, onFailure }: DownloadOptions,
): Promise<void> {
  if (running) return;
  const controller = new AbortController();
  const run = async () => {
    try {
      if (isBackground) await runSlots.idle(controller.signal);
      const { build, cached } = await readOffline();
      await downloadMissing({ build, cached }, build.parts.filter(isWanted), { controller, isBackground });
      await readOffline();
    } catch (thrown) {
      await readOffline();
      if (controller.signal.reason !== STOPPED) await onFailure(thrown);
    } finally {
      running = undefined;
    }
  };
  const ended = run();
  running = { controller, isBackground, ended };
  await ended;
}

async function downloadMissing(
  { build, cached }: Offline,
  parts: readonly OfflinePart[],
  { controller, isBackground }: Pick<Running, 'controller' | 'isBackground'>,
): Promise<void> {
  const files = missingFiles(build, parts, cached);
  if (files.length === 0) return;
  const totalBytes = getSentBytes(files);
  const report = (sentBytes: number) => offline.set({ build, cached, download: { sentBytes, totalBytes } });
  report(0);
  try {
    await cacheFiles(build, files, { signal: controller.signal, onProgress: report, isBackground });
  } catch (thrown) {
    // The other files of the moment stop as well.
    controller.abort(thrown);
    throw thrown;
  }
}

/** Stops the download. The files that have arrived are kept. */
export function stopDownload(): void {
  running?.controller.abort(STOPPED);
}

/** Deletes a part; the first part goes with everything else. */
export async function deletePart(id: string): Promise<void> {
  const { build, cached } = await readOffline();
  const [home] = build.parts;
  const part = build.parts.find((one) => one.id === id);
  if (part && part !== home) {
    await deleteFiles(build, deletableUrls(build, part, cached));
    await readOffline();
  } else {
    await deleteAllFiles();
    offline.set({ build, cached: new Set() });
  }
}

/**
 * Asks the newest service worker for the build that it serves: the next page opens with it.
 * @returns never where service workers are denied
 */
async function describeBuild(): Promise<OfflineBuild> {
  const { waiting, active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const described = new Promise<OfflineBuild>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  (waiting ?? active)?.postMessage('describe', [port2]);
  return described;
}

async function cachedUrls({ id }: OfflineBuild): Promise<CachedUrls> {
  const cache = await caches.open(PREFIX + id);
  return new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
}

async function deleteFiles({ id }: OfflineBuild, urls: readonly string[]): Promise<void> {
  const cache = await caches.open(PREFIX + id);
  await Promise.all(urls.map((url) => cache.delete(url, { ignoreVary: true })));
}

/** Deletes everything that is cached. The next visit starts again. */
async function deleteAllFiles(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  await Promise.all(registrations.map((registration) => registration.unregister()));
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  await Promise.all(names.map((name) => caches.delete(name)));
}

/**
 * Caches files, a few at a time. A later call continues with the files that are missing.
 * @throws OperationError `unavailable` when a file cannot be loaded or stored
 * @throws the signal's reason
 */
async function cacheFiles(
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
    throw getFailure(cause);
  }
}

function getFailure(cause: unknown): OperationError {
  const isFull = cause instanceof DOMException && cause.name === 'QuotaExceededError';
  const message = isFull
    ? 'This browser has no more storage for this site. Delete models or results, then continue.'
    : 'The download stopped. Check your connection, then continue: what has arrived is kept.';
  return new OperationError('unavailable', message, { cause });
}
