import type { Cell } from '../../../models/core/cell.ts';
import { AsyncCache } from '../../ui/async-cache.ts';
import { openSession } from '../session/session.ts';
import type { TabStore } from '../session/tab-store.ts';
import type { BatchItem } from './batch.ts';
import { getItem, getRecord, type ItemRecord } from './item-record.ts';
import type { Batch } from './run-batch.ts';
import { getStoredId, readResult } from './stored-results.ts';

/** Number of files and results that a reload would lose, as the browser has no room for them. */
export interface Unsaved {
  readonly files: number;
  readonly results: number;
}

export const ALL_SAVED: Unsaved = { files: 0, results: 0 };

/**
 * Puts the items of an earlier page back into a batch, then keeps all items of the batch in the session.
 * @param records where the session holds them
 * @param unsaved receives what could not be kept
 */
export async function persistItems(
  batch: Batch,
  records: Cell<readonly ItemRecord[]>,
  unsaved: Cell<Unsaved>,
): Promise<void> {
  const store = await openSession();
  const files = new AsyncCache(
    (file: File) => store?.addFile(file) ?? Promise.resolve(null),
    () => update(),
  );
  const results = new AsyncCache(getStoredId, () => update());
  const bytes = { fileKey: files.get, storedId: results.get };
  let kept: readonly BatchItem[] = [];

  /** A rerun that ends with its page leaves the earlier result. */
  const settled = (item: BatchItem): BatchItem => {
    const earlier = item.state.phase === 'done' ? undefined : batch.earlierState(item.id);
    return earlier ? { ...item, state: earlier } : item;
  };
  const update = () => {
    const { items } = batch.view();
    const present = new Set(items.map(({ file }) => file));
    // Put back after all, a removed file is stored again.
    for (const { file } of kept) if (!present.has(file)) forget(file);
    kept = items;
    records.set(items.flatMap((item) => getRecord(settled(item), bytes) ?? []));
    const blobs = items.flatMap(({ state }) => (state.phase === 'done' ? state.result.files : []));
    const lost = {
      files: items.filter(({ file }) => files.get(file) === null).length,
      results: blobs.filter(({ blob }) => results.get(blob) === null).length,
    };
    unsaved.set((before) => (isSame(before, lost) ? before : lost));
  };
  const forget = (file: File) => {
    const key = files.get(file);
    files.drop(file);
    if (key) void store?.deleteFile(key);
  };

  if (store) batch.restore(await restoredItems(records.get(), store, files));
  update();
  batch.subscribe(() => {
    if (!areSame(kept, batch.view().items)) update();
  });
}

async function restoredItems(
  records: readonly ItemRecord[],
  store: TabStore,
  files: AsyncCache<File, string | null>,
): Promise<readonly BatchItem[]> {
  const opened = new Map<string, Promise<File | undefined>>();
  const readFile = (key: string) => {
    const file = opened.get(key) ?? store.readFile(key);
    opened.set(key, file);
    return file;
  };
  const read = { file: readFile, result: readResult };
  const items = await Promise.all(
    records.map(async (record) => {
      const item = await getItem(record, read).catch(() => undefined);
      if (item) files.set(item.file, record.fileKey);
      return item ? [item] : [];
    }),
  );
  return items.flat();
}

function isSame(one: Unsaved, other: Unsaved): boolean {
  return one.files === other.files && one.results === other.results;
}

/** Reports whether two lists have the same records: progress alone changes none. */
function areSame(one: readonly BatchItem[], other: readonly BatchItem[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ id, state }, at) => {
      const next = other[at];
      const bothRun = state.phase === 'running' && next?.state.phase === 'running';
      return next?.id === id && (next.state === state || bothRun);
    })
  );
}
