import type { DBSchema } from 'idb';
import { Cell } from '../../../models/core/cell.ts';
import type { OperationId } from '../../../models/registry.ts';
import { openOnce } from '../../../workers/runtime/browser-store.ts';

/** Run that made a result. */
export interface ResultOrigin {
  /** The same for all results of one start, of however many files. */
  readonly job: string;
  readonly operationId: OperationId;
  /** Name of the file that it was made from. */
  readonly source: string;
}

/** Result stored in this browser. */
export interface RecentResult {
  readonly id: number;
  readonly name: string;
  readonly blob: Blob;
  /** Milliseconds since the epoch. */
  readonly madeAtMs: number;
  /** Absent where an earlier version stored it. */
  readonly origin?: ResultOrigin | undefined;
}

interface StoredResult extends Omit<RecentResult, 'id'> {
  readonly id?: number;
  /** Whether the visitor has saved or held it: it then outlives its place. */
  readonly isKept?: boolean;
}

interface Schema extends DBSchema {
  results: { key: number; value: StoredResult };
}

/** Limit for all results together. The oldest are deleted first. */
export const STORED_BYTES_MAX = 300_000_000;

const open = openOnce<Schema>('darkroom', (database) => {
  database.createObjectStore('results', { keyPath: 'id', autoIncrement: true });
});

/** Number of changes by this page. */
export const resultChanges = new Cell(0);

const announceChange = () => resultChanges.set((before) => before + 1);

/** Ids of the results that this page stores or has read: null where the browser has no room. */
const ids = new WeakMap<Blob, Promise<number | null>>();

/** Returns the name of a new job. */
export const createJob = (): string => `${Date.now()}-${Math.random()}`;

/**
 * Stores a result and deletes the oldest results that no longer fit.
 * @param origin undefined where only the result is known
 */
export function storeResult(name: string, blob: Blob, origin: ResultOrigin | undefined): void {
  ids.set(
    blob,
    addResult({ name, blob, origin, madeAtMs: Date.now() }).catch(() => null),
  );
}

/** Keeps a result among the recent ones even when a newer one takes its place, on any later page, too. */
export async function pinBlob(name: string, blob: Blob): Promise<void> {
  if (!ids.has(blob)) storeResult(name, blob, undefined);
  const id = await getStoredId(blob);
  if (id !== null) await pinResult(id);
}

/** Keeps a stored result, as `keepStored` does. */
export async function pinResult(id: number): Promise<void> {
  const change = (await open()).transaction('results', 'readwrite');
  const stored = await change.store.get(id);
  if (stored) await change.store.put({ ...stored, isKept: true });
  await change.done;
}

/** Deletes a result that a newer one has replaced, unless it is kept. */
export async function deleteReplaced(blob: Blob): Promise<void> {
  const id = await getStoredId(blob);
  if (id === null) return;
  const change = (await open()).transaction('results', 'readwrite');
  const stored = await change.store.get(id);
  const isDropped = stored !== undefined && !stored.isKept;
  if (isDropped) await change.store.delete(id);
  await change.done;
  if (isDropped) announceChange();
}

/** Returns the id under which a result is stored; null when it is not. */
export async function getStoredId(blob: Blob): Promise<number | null> {
  return (await ids.get(blob)) ?? null;
}

/** Returns the run that made a stored result; undefined where it is not stored, or its run unknown. */
export async function getOrigin(blob: Blob): Promise<ResultOrigin | undefined> {
  const id = await getStoredId(blob);
  return id === null ? undefined : (await (await open()).get('results', id))?.origin;
}

async function addResult(result: StoredResult): Promise<number | null> {
  if (result.blob.size > STORED_BYTES_MAX) return null;
  const db = await open();
  const id = await db.add('results', result);
  let bytes = 0;
  for (const result of await listResults()) {
    bytes += result.blob.size;
    if (bytes > STORED_BYTES_MAX) await deleteResult(result.id);
  }
  announceChange();
  return id;
}

/** Reads a result; undefined once it is deleted. */
export async function readResult(id: number): Promise<Blob | undefined> {
  const blob = (await (await open()).get('results', id))?.blob;
  if (blob) ids.set(blob, Promise.resolve(id));
  return blob;
}

/** Stores results again that were deleted, each in its place. */
export async function restoreResults(results: readonly StoredResult[]): Promise<void> {
  const change = (await open()).transaction('results', 'readwrite');
  await Promise.all([...results.map((result) => change.store.put(result)), change.done]);
  announceChange();
}

/** Lists results, newest first. */
export async function listResults(): Promise<RecentResult[]> {
  const db = await open();
  const results = await db.getAll('results');
  return results.map((result) => ({ ...result, id: result.id ?? 0 })).reverse();
}

export async function deleteResult(id: number): Promise<void> {
  await deleteResults([id]);
}

export async function deleteResults(deleted: readonly number[]): Promise<void> {
  const change = (await open()).transaction('results', 'readwrite');
  await Promise.all([...deleted.map((id) => change.store.delete(id)), change.done]);
  announceChange();
}

export async function deleteAllResults(): Promise<void> {
  await (await open()).clear('results');
  announceChange();
}
