'use client';

import { useEffect } from 'react';

/** Delay in milliseconds before the large files are fetched in the background. */
const SETTLE_MS = 8_000;

/** Makes the studio work offline from now on. Renders nothing. */
export function OfflineSupport() {
  useEffect(() => {
    if (process.env.NODE_ENV !== 'production' || !('serviceWorker' in navigator)) return;
    // Where registration is denied (private windows, old browsers) the studio works online only.
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
