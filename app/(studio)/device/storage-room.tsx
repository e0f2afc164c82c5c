'use client';

import { useState } from 'react';
import { bytes } from '../quantities.ts';
import { useStorage } from '../stored-weights.ts';
import styles from './device.module.css';

/** What the browser tells of the room it gives this site. */
interface Room {
  readonly usedBytes: number;
  readonly quotaBytes: number;
  /** Whether it deletes nothing by itself; null where it cannot be asked. */
  readonly isKept: boolean | null;
}

/** How much this site keeps in this browser, how much more there is room for, and whether it stays. */
export function StorageRoom() {
  const room = useStorage(readRoom);
  const [isGranted, setIsGranted] = useState<boolean>();
  if (!room) return null;
  const { usedBytes, quotaBytes } = room;
  const isKept = isGranted ?? room.isKept;
  const isRefused = isGranted === false;
  const keep = async () => setIsGranted(await navigator.storage.persist());
  return (
    <div className={styles.room}>
      <p id="room" className="facts">
        {bytes(usedBytes)} of {bytes(quotaBytes)} used by this site, {bytes(quotaBytes - usedBytes)} free
      </p>
      <meter aria-labelledby="room" className={styles.meter} value={usedBytes} max={quotaBytes} />
      <div className={styles.keeping}>
        <p role="status">{isKept !== null && keepingWords(isKept, isRefused)}</p>
        {isKept === false && !isRefused && (
          <button type="button" className="button" onClick={keep}>
            Keep them
          </button>
        )}
      </div>
    </div>
  );
}

function keepingWords(isKept: boolean, isRefused: boolean): string {
  if (isKept) return 'Models and results stay in this browser until you delete them.';
  return isRefused
    ? 'The browser will not promise that: it may delete models and results when this device runs short of room.'
    : 'The browser may delete models and results by itself when this device runs short of room.';
}

/** @returns null where the browser tells nothing of it */
async function readRoom(): Promise<Room | null> {
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
