import type { Readable } from 'node:stream';

export interface StoredObject {
  readonly bytes: number;
  /** Whole object, or the requested range of it. */
  readonly stream: Readable;
}

export interface ByteRange {
  readonly start: number;
  /** Inclusive, as in HTTP. */
  readonly end: number;
}

/**
 * Store of inputs and results. Keys are `inputs/<request_id>/<token>/<name>` and
 * `outputs/<request_id>/<token>/<name>`; the token is random, so that no attempt can overwrite another's object. An
 * upload has the key `inputs/uploads/<token>/input`. An object exists completely or not at all, and never changes.
 */
export interface Storage {
  /** Stores a local file under `key`, which may remove it from `path`. */
  putFile(key: string, path: string, mediaType: string): Promise<void>;
  /**
   * Stores the bytes of an object under a further key, and moves none of them through this process. Each key is deleted
   * by itself. On disk the keys share the bytes, which go with the last.
   * @throws OperationError `not_found`
   */
  copy(from: string, to: string): Promise<void>;
  /**
   * Opens an object.
   * @throws OperationError `not_found`
   */
  get(key: string, range?: ByteRange): Promise<StoredObject>;
  /** Returns a local path with the object's bytes, in `directory` unless it is on this disk already. Read only. */
  toLocalFile(key: string, directory: string): Promise<string>;
  delete(key: string): Promise<void>;
  /** Lists keys below `prefix` that were last written before `before`. */
  list(prefix: string, before: Date): AsyncIterable<string>;
  /** Throws when the store cannot read or write objects now. */
  check(): Promise<void>;
}
