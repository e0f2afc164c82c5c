import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/** Result stored in this browser. */
export interface RecentResult {
  readonly id: number;
  readonly name: string;
  readonly blob: Blob;
  /** Milliseconds since the epoch. */
  readonly madeAtMs: number;
}

interface Schema extends DBSchema {
  results: { key: number; value: Omit<RecentResult, 'id'> & { id?: number } };
}

/** Limit for all results together. The oldest are deleted first. */
export const STORED_BYTES_MAX = 300_000_000;

let opening: Promise<IDBPDatabase<Schema>> | undefined;

function open(): Promise<IDBPDatabase<Schema>> {
  opening ??= openDB<Schema>('darkroom', 1, {
    upgrade: (db) => {
      db.createObjectStore('results', { keyPath: 'id', autoIncrement: true });
    },
  });
  return opening;
}

/** Stores a result and deletes the oldest results that no longer fit. */
export async function storeResult(name: string, blob: Blob): Promise<void> {
  if (blob.size > STORED_BYTES_MAX) return;
  const db = await open();
  await db.add('results', { name, blob, madeAtMs: Date.now() });
  let bytes = 0;
  for (const result of await listResults()) {
    bytes += result.blob.size;
    if (bytes > STORED_BYTES_MAX) await deleteResult(result.id);
  }
}

/** Lists results, newest first. */
export async function listResults(): Promise<RecentResult[]> {
  const db = await open();
  const results = await db.getAll('results');
  return results.map((result) => ({ ...result, id: result.id ?? 0 })).reverse();
}

export async function deleteResult(id: number): Promise<void> {
  await (await open()).delete('results', id);
}

export async function deleteAllResults(): Promise<void> {
  await (await open()).clear('results');
}
