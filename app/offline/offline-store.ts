'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { messageOf } from '../../models/core/operation/errors.ts';
import { runSlots } from '../../workers/bridge/run-slots.ts';
import { Cell } from '../state/cell.ts';
import { cachedUrls, cacheFiles, deleteAllFiles, deleteFiles, describeBuild } from './cache-files.ts';
import {
  type CachedUrls,
  deletableUrls,
  missingFiles,
  type OfflineBuild,
  type OfflinePart,
  sentBytesOf,
} from './offline-build.ts';

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
  /** Whether nobody asked for it: another download replaces it. */
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
    onFailure: async (thrown) => offline.set({ ...(await readOffline()), problem: messageOf(thrown) }),
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

/** One download runs at a time: another call has no effect meanwhile. */
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
  const totalBytes = sentBytesOf(files);
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
