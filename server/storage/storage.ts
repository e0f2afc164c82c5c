import type { Readable } from 'node:stream';

export interface StoredObject {
  readonly bytes: number;
  /** The whole object, or the asked range of it. */
  readonly stream: Readable;
}

export interface ByteRange {
  readonly start: number;
  /** Inclusive, as in HTTP. */
  readonly end: number;
}

/**
 * Where inputs and results lie. Keys are `inputs/<request_id>/<token>/<name>` and `outputs/<request_id>/<token>/<name>`;
 * the token is random, so that no attempt can overwrite another's object. A file that came before its request keeps the
 * key `inputs/uploads/<token>/input`. An object is there whole or not at all.
 */
export interface Storage {
  /** Takes over a local file: afterwards it is stored under `key` and may be gone from `path`. */
  putFile(key: string, path: string, mediaType: string): Promise<void>;
  /** @throws OperationError `not_found` */
  get(key: string, range?: ByteRange): Promise<StoredObject>;
  /** A local path with the object's bytes, in `directory` unless it is on this disk already. Read only. */
  toLocalFile(key: string, directory: string): Promise<string>;
  delete(key: string): Promise<void>;
  /** Keys below `prefix` that were last written before `before`. */
  list(prefix: string, before: Date): AsyncIterable<string>;
  /** Throws when the store can't take or give objects now. */
  check(): Promise<void>;
}
