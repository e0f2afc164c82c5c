import { OperationError } from '../../../models/core/operation/errors.ts';
import { copyName } from '../runs/result-names.ts';

/** Owner of a name that the folder had before. */
const STRANGER = '';

/** Part of a `FileSystemDirectoryHandle` that results need. */
export interface FolderHandle {
  getFileHandle(name: string, options?: { readonly create?: boolean }): Promise<FileHandle>;
}

interface FileHandle {
  createWritable(): Promise<{ write(blob: Blob): Promise<void>; close(): Promise<void> }>;
}

/** Folder on this device that gets results. It replaces only what it has written for the same result before. */
export class ResultFolder {
  readonly handle: FolderHandle;
  /** Owners of names in lower case, as many file systems compare them. */
  readonly #owners = new Map<string, string>();

  constructor(handle: FolderHandle) {
    this.handle = handle;
  }

  /**
   * Writes a file, under the next free name where others have its own: `a.jpg`, `a-2.jpg`.
   * @param owner key of the result, the same when it is made again
   * @throws OperationError `unavailable` when the browser cannot write there
   */
  async write(owner: string, name: string, blob: Blob): Promise<void> {
    try {
      const handle = await this.handle.getFileHandle(await this.#claim(owner, name), { create: true });
      const writable = await handle.createWritable();
      await writable.write(blob);
      await writable.close();
    } catch (thrown) {
      const message = `${name} could not be written into the folder. Choose the folder again, and run what failed.`;
      throw new OperationError('unavailable', message, { cause: thrown });
    }
  }

  async #claim(owner: string, name: string): Promise<string> {
    for (let copy = 1; ; copy++) {
      const free = copyName(name, copy);
      const key = free.toLowerCase();
      const known = this.#owners.get(key);
      if (known === owner) return free;
      if (known !== undefined) continue;
      // Claimed before the folder is asked, since several files are written at once.
      this.#owners.set(key, owner);
      if (!(await this.#has(free))) return free;
      this.#owners.set(key, STRANGER);
    }
  }

  async #has(name: string): Promise<boolean> {
    try {
      await this.handle.getFileHandle(name);
      return true;
    } catch (thrown) {
      // A folder has the name.
      if (thrown instanceof DOMException && thrown.name === 'TypeMismatchError') return true;
      if (thrown instanceof DOMException && thrown.name === 'NotFoundError') return false;
      throw thrown;
    }
  }
}
