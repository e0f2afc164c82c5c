'use client';

import { useEffect } from 'react';

/** How long a page may settle before the large files are fetched behind its back. */
const SETTLE_MS = 8_000;

/** Lets the studio work without a network from now on. Shows nothing. */
export function KeepOffline() {
  useEffect(() => {
    if (process.env.NODE_ENV !== 'production' || !('serviceWorker' in navigator)) return;
    // Where it is refused (private windows, old browsers) the studio works as before, with a network.
    navigator.serviceWorker.register('/service-worker.js').catch(() => {});
    const timer = setTimeout(keepCodecs, SETTLE_MS);
    return () => clearTimeout(timer);
  }, []);
  return null;
}

async function keepCodecs(): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: { saveData: boolean } };
  if (connection?.saveData) return;
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage('keep-codecs');
}
