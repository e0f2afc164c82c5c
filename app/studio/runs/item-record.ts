import type { BatchItem, DoneState, FileResult, ItemState } from './batch.ts';

/** State of an item without the bytes of its result, which are stored once, among the recent results. */
type StateRecord =
  | Exclude<ItemState, { phase: 'running' | 'done' }>
  | (Omit<DoneState, 'result'> & {
      readonly result: Omit<FileResult, 'files'> & {
        readonly files: readonly {
          readonly name: string;
          readonly mediaType: string;
          readonly storedId: number;
        }[];
      };
    });

/** Item as a session stores it. */
export interface ItemRecord {
  readonly id: number;
  readonly fileKey: string;
  readonly state: StateRecord;
}

/** Places of an item's bytes: null where there is no room for them, undefined while they are being stored. */
export interface StoredKeys {
  readonly fileKey: (file: File) => string | null | undefined;
  readonly storedId: (result: Blob) => number | null | undefined;
}

/** Reads bytes back: undefined once they are deleted. */
export interface ReadBytes {
  readonly file: (key: string) => Promise<File | undefined>;
  readonly result: (storedId: number) => Promise<Blob | undefined>;
}

const WAITING = { phase: 'waiting' } as const;

/** Returns an item's record; undefined as long as its file is not stored. */
export function getRecord({ id, file, state }: BatchItem, bytes: StoredKeys): ItemRecord | undefined {
  const fileKey = bytes.fileKey(file);
  return fileKey ? { id, fileKey, state: recordOfState(state, bytes) } : undefined;
}

function recordOfState(state: ItemState, { storedId }: StoredKeys): StateRecord {
  // A run ends with its page.
  if (state.phase === 'running') return { phase: 'waiting', wasStopped: true };
  if (state.phase !== 'done') return state;
  const { result, ...rest } = state;
  const files = result.files.flatMap(({ name, mediaType, blob }) => {
    const id = storedId(blob);
    return typeof id === 'number' ? [{ name, mediaType, storedId: id }] : [];
  });
  return files.length === result.files.length ? { ...rest, result: { ...result, files } } : WAITING;
}

/** Returns the item of a record; undefined when its file is gone. An item without its whole result waits again. */
export async function getItem(
  { id, fileKey, state }: ItemRecord,
  read: ReadBytes,
): Promise<BatchItem | undefined> {
  const file = await read.file(fileKey);
  return file && { id, file, state: await getState(state, read) };
}

/** Keys of states that an earlier version of the studio stored, with today's. */
const FORMER_KEYS: Readonly<Record<string, string>> = {
  madeWith: 'resultParams',
  laterFailure: 'rerunError',
};

function withTodaysKeys(state: StateRecord): StateRecord {
  const entries = Object.entries(state).map(([key, value]) => [FORMER_KEYS[key] ?? key, value]);
  return Object.fromEntries(entries);
}

async function getState(stored: StateRecord, read: ReadBytes): Promise<ItemState> {
  const state = withTodaysKeys(stored);
  if (state.phase !== 'done') return state;
  const { result, ...rest } = state;
  const files = await Promise.all(
    result.files.map(async ({ storedId, ...file }) => ({ ...file, blob: await read.result(storedId) })),
  );
  const whole = files.flatMap(({ blob, ...file }) => (blob ? [{ ...file, blob }] : []));
  return whole.length === files.length ? { ...rest, result: { ...result, files: whole } } : WAITING;
}
