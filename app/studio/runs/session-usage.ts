import { openSessionDatabase, readUsage } from '../session/database.ts';

/** Counts what the sessions of all tabs store; null where the browser stores nothing. */
export async function readSessionUsage(): Promise<{ readonly files: number; readonly bytes: number } | null> {
  try {
    const usage = [...(await readUsage(await openSessionDatabase())).values()];
    const sum = (key: 'files' | 'bytes') => usage.reduce((total, tab) => total + tab[key], 0);
    return { files: sum('files'), bytes: sum('bytes') };
  } catch {
    return null;
  }
}

/** Deletes the sessions of all tabs, and removes the files of this tab from its tools. */
export async function deleteSessions(): Promise<void> {
  // Loaded on the click: this page needs no tool.
  const { clearBatches } = await import('./session-batches.ts');
  clearBatches();
  const db = await openSessionDatabase();
  const change = db.transaction(['tabs', 'states', 'files'], 'readwrite');
  await Promise.all([
    ...(['tabs', 'states', 'files'] as const).map((store) => change.objectStore(store).clear()),
    change.done,
  ]);
}
