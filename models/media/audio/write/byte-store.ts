/** File that is being written: its head last, all other bytes first. It is on the disk where there is one. */
export interface ByteStore {
  append(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Returns the file: `head`, then all appended bytes. */
  finish(head: Uint8Array<ArrayBuffer>, mediaType: string): Promise<Blob>;
  /** Frees the appended bytes when no file is made of them. */
  discard(): Promise<void>;
}
