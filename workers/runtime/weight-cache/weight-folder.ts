import { pause } from '../../../models/core/concurrency.ts';
import type { PartFile } from '../../../models/core/inference/download-weights.ts';
import { getSha256 } from './fetch-source.ts';
import { notifyWeightChange } from './weight-changes.ts';

declare global {
  // TypeScript knows these in worker code only, which has no page types.
  interface FileSystemFileHandle {
    createSyncAccessHandle(): Promise<FileSystemSyncAccessHandle>;
  }
  interface FileSystemSyncAccessHandle {
    getSize(): number;
    read(into: Uint8Array<ArrayBuffer>, options: { at: number }): number;
    write(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number;
    truncate(size: number): void;
    close(): void;
  }
}

const FOLDER = 'weights';

/** A tab that was just closed may hold a file for longer than its turn. */
const OPEN_TRIES_MAX = 30;
const OPEN_PAUSE_MS = 100;

/** Origin-private files (OPFS) with weights, shared by all tabs of the origin. */
export interface WeightFolder {
  /** Lists names and sizes of all files, complete or partial. */
  list(): Promise<ReadonlyMap<string, number>>;
  /** Returns a file's size; 0 when it is missing. */
  sizeOf(name: string): Promise<number>;
  /**
   * Reads a file.
   * @throws DOMException NotFoundError
   */
  read(name: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Opens or creates a file for writing. Only workers can, and only one at a time. */
  open(name: string): Promise<PartFile & { close(): void }>;
  /**
   * Deletes a file.
   * @throws DOMException NoModificationAllowedError while it is being written
   */
  remove(name: string): Promise<void>;
}

/**
 * Opens the folder.
 * @returns null where the browser has no such files, or denies them to this page
 */
export async function openWeightFolder(): Promise<WeightFolder | null> {
  try {
    const root = await navigator.storage.getDirectory();
    return weightFolder(await root.getDirectoryHandle(FOLDER, { create: true }));
  } catch {
    return null;
  }
}

function weightFolder(directory: FileSystemDirectoryHandle): WeightFolder {
  const fileOf = async (name: string) => (await directory.getFileHandle(name)).getFile();
  const sizeOf = (name: string) => fileOf(name).then(({ size }) => size, absent);
  return {
    sizeOf,
    async list() {
      const sizes = new Map<string, number>();
      for await (const name of directory.keys()) sizes.set(name, await sizeOf(name));
      return sizes;
    },
    read: async (name) => new Uint8Array(await (await fileOf(name)).arrayBuffer()),
    async open(name) {
      const handle = await directory.getFileHandle(name, { create: true });
      return partFile(await openExclusive(handle));
    },
    async remove(name) {
      await directory.removeEntry(name).catch(absent);
      notifyWeightChange();
    },
  };
}

async function openExclusive(handle: FileSystemFileHandle): Promise<FileSystemSyncAccessHandle> {
  for (let tries = 1; ; tries++) {
    try {
      return await handle.createSyncAccessHandle();
    } catch (error) {
      const isHeld = error instanceof DOMException && error.name === 'NoModificationAllowedError';
      if (!isHeld || tries >= OPEN_TRIES_MAX) throw error;
      await pause(OPEN_PAUSE_MS);
    }
  }
}

/** For `catch`: treats a missing file as empty. */
function absent(error: unknown): 0 {
  if (error instanceof DOMException && error.name === 'NotFoundError') return 0;
  throw error;
}

function partFile(handle: FileSystemSyncAccessHandle): PartFile & { close(): void } {
  return {
    size: async () => handle.getSize(),
    async append(chunk) {
      const at = handle.getSize();
      const written = handle.write(chunk, { at });
      // Chromium reports a full store by a count that is far too large.
      if (written !== chunk.length) throw new DOMException('Not enough storage.', 'QuotaExceededError');
    },
    clear: async () => handle.truncate(0),
    sha256() {
      const bytes = new Uint8Array(handle.getSize());
      handle.read(bytes, { at: 0 });
      return getSha256(bytes);
    },
    close() {
      handle.close();
      notifyWeightChange();
    },
  };
}
