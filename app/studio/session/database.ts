import type { DBSchema, IDBPDatabase } from 'idb';
import { openOnce } from '../../../workers/runtime/browser-store.ts';

/** File of a session: in parts, as not every browser gives a stored `File` back with its name. */
export interface StoredFile {
  readonly tab: string;
  readonly key: string;
  readonly bytes: number;
  readonly blob: Blob;
  readonly name: string;
  readonly lastModified: number;
  /** Whether it came from a link. */
  readonly isFetched: boolean;
}

interface Schema extends DBSchema {
  /** Time of the last change in milliseconds since the epoch, by tab. */
  tabs: { key: string; value: number };
  states: { key: [tab: string, name: string]; value: unknown };
  files: { key: [tab: string, key: string]; value: StoredFile; indexes: { bytes: [string, number] } };
}

export type SessionDatabase = IDBPDatabase<Schema>;

/** Opens the database of all tabs' sessions. @throws where the browser stores nothing for pages */
export const openSessionDatabase = openOnce<Schema>('darkroom-session', (database) => {
  database.createObjectStore('tabs');
  database.createObjectStore('states');
  // The index gives the bytes of a tab without reading its files.
  database.createObjectStore('files', { keyPath: ['tab', 'key'] }).createIndex('bytes', ['tab', 'bytes']);
});

/** All keys of a tab: an array sorts after every string. */
export const getKeys = (tab: string): IDBKeyRange => IDBKeyRange.bound([tab], [tab, []]);

/** Returns count and bytes of the stored files, by tab. */
export async function readUsage(
  db: SessionDatabase,
): Promise<ReadonlyMap<string, { readonly files: number; readonly bytes: number }>> {
  const usage = new Map<string, { files: number; bytes: number }>();
  const index = db.transaction('files').store.index('bytes');
  for (let cursor = await index.openKeyCursor(); cursor; cursor = await cursor.continue()) {
    const [tab, size] = cursor.key;
    const { files, bytes } = usage.get(tab) ?? { files: 0, bytes: 0 };
    usage.set(tab, { files: files + 1, bytes: bytes + size });
  }
  return usage;
}

/** Deletes all that a tab has stored. */
export async function deleteTab(db: SessionDatabase, tab: string): Promise<void> {
  const change = db.transaction(['tabs', 'states', 'files'], 'readwrite');
  await Promise.all([
    change.objectStore('tabs').delete(tab),
    change.objectStore('states').delete(getKeys(tab)),
    change.objectStore('files').delete(getKeys(tab)),
    change.done,
  ]);
}
