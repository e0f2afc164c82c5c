const PAGE_BYTES = 1_048_576;

/** File in memory that accepts writes at any position. It grows page by page and never moves. */
export class PagedBytes {
  readonly #pages: Uint8Array<ArrayBuffer>[] = [];
  #size = 0;

  /** Writes bytes at `position`; gaps read as zero. */
  write(position: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      const at = position + done;
      const offset = at % PAGE_BYTES;
      const part = bytes.subarray(done, done + PAGE_BYTES - offset);
      this.#page(Math.floor(at / PAGE_BYTES)).set(part, offset);
      done += part.length;
    }
    this.#size = Math.max(this.#size, position + bytes.length);
  }

  /** Returns the file so far. */
  toBlob(mediaType: string): Blob {
    const whole = new Blob(this.#pages, { type: mediaType });
    return whole.slice(0, this.#size, mediaType);
  }

  #page(index: number): Uint8Array<ArrayBuffer> {
    while (this.#pages.length <= index) this.#pages.push(new Uint8Array(PAGE_BYTES));
    return this.#pages[index];
  }
}
