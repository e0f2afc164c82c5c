'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';
import { isSavingData } from '../studio/tools/prepare-tool.ts';
import { canWorkOffline, downloadTool } from './offline-store.ts';

/** Delay in milliseconds before a tool's files are fetched in the background. */
const SETTLE_MS = 8_000;

/** Makes the home page available offline, and each tool once it is opened. Renders nothing. */
export function OfflineSupport() {
  const path = usePathname();
  useEffect(() => {
    if (!canWorkOffline()) return;
    // Where registration is denied (private windows, old browsers) the studio works online only.
    navigator.serviceWorker.register('/service-worker.js').catch(() => {});
  }, []);
  useEffect(() => {
    if (!canWorkOffline() || isSavingData()) return;
    // Nothing depends on it: where the cache is denied the studio works online only.
    const timer = setTimeout(() => downloadTool(path).catch(() => {}), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [path]);
  return null;
}
