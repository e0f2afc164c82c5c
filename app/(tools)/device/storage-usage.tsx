'use client';

import { useState } from 'react';
import { useStorage } from '../../studio/runs/stored-weights.ts';
import { formatBytes } from '../../text/quantities.ts';
import styles from './device.module.css';

/** Storage that the browser grants this site. */
interface StorageSpace {
  readonly usedBytes: number;
  readonly quotaBytes: number;
  /** Whether the browser promises to delete nothing by itself; null where the page cannot ask. */
  readonly isKept: boolean | null;
}

/** Shows how much this site stores in this browser, how much space is left, and whether the data is persistent. */
export function StorageUsage() {
  const space = useStorage(readSpace);
  const [isGranted, setIsGranted] = useState<boolean>();
  if (!space) return null;
  const { usedBytes, quotaBytes } = space;
  const isKept = isGranted ?? space.isKept;
  const isRefused = isGranted === false;
  const keep = async () => setIsGranted(await navigator.storage.persist());
  return (
    <div className={styles.room}>
      <p id="room" className="facts">
        {formatBytes(usedBytes)} of {formatBytes(quotaBytes)} used by this site,{' '}
        {formatBytes(quotaBytes - usedBytes)} free
      </p>
      <meter aria-labelledby="room" className={styles.meter} value={usedBytes} max={quotaBytes} />
      <div className={styles.keeping}>
        <p role="status">{isKept !== null && describePersistence(isKept, isRefused)}</p>
        {isKept === false && !isRefused && (
          <button type="button" className="button" onClick={keep}>
            Keep them
          </button>
        )}
      </div>
    </div>
  );
}

function describePersistence(isKept: boolean, isRefused: boolean): string {
  if (isKept) return 'Models and results stay in this browser until you delete them.';
  return isRefused
    ? 'The browser declined. It may delete models and results when this device runs low on storage.'
    : 'The browser may delete models and results when this device runs low on storage.';
}

/**
 * Reads the browser's storage estimate.
 * @returns null where the browser gives none
 */
async function readSpace(): Promise<StorageSpace | null> {
  try {
    const { storage } = navigator;
    const { usage, quota } = await storage.estimate();
    if (usage === undefined || !quota) return null;
    const isKept = 'persist' in storage ? await storage.persisted() : null;
    return { usedBytes: usage, quotaBytes: Math.max(quota, usage), isKept };
  } catch {
    return null;
  }
}
