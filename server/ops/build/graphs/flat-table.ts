/**
 * Table of a FlatBuffers file, whose fields are found by their numbers in the schema.
 *
 * A table starts with the distance back to its list of fields, which gives where each field lies in the table, or 0
 * where it has its default.
 */
export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;

  private constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
  }

  /** Opens the table at the root of a file. */
  static open(file: Uint8Array): FlatTable {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    return new FlatTable(view, view.getUint32(0, true));
  }

  /** Returns a signed byte, 0 by default. */
  byte(field: number): number {
    const at = this.#find(field);
    return at === null ? 0 : this.#view.getInt8(at);
  }

  /** Returns a signed number of 32 bits. */
  int(field: number, fallback = 0): number {
    const at = this.#find(field);
    return at === null ? fallback : this.#view.getInt32(at, true);
  }

  /** Returns a text, empty by default. */
  text(field: number): string {
    return new TextDecoder().decode(this.bytes(field));
  }

  /** Returns a list of bytes, without copying it. */
  bytes(field: number): Uint8Array {
    const { at, length } = this.#list(field);
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, length);
  }

  /** Returns a list of signed numbers of 32 bits. */
  ints(field: number): readonly number[] {
    const { at, length } = this.#list(field);
    return Array.from({ length }, (_, item) => this.#view.getInt32(at + 4 * item, true));
  }

  /** Returns the table that a field refers to, or null. */
  table(field: number): FlatTable | null {
    const at = this.#find(field);
    return at === null ? null : new FlatTable(this.#view, this.#follow(at));
  }

  tables(field: number): readonly FlatTable[] {
    const { at, length } = this.#list(field);
    return Array.from({ length }, (_, item) => new FlatTable(this.#view, this.#follow(at + 4 * item)));
  }

  #list(field: number): { readonly at: number; readonly length: number } {
    const at = this.#find(field);
    if (at === null) return { at: 0, length: 0 };
    const list = this.#follow(at);
    return { at: list + 4, length: this.#view.getUint32(list, true) };
  }

  #find(field: number): number | null {
    const fields = this.#at - this.#view.getInt32(this.#at, true);
    // Two sizes of 16 bits come first: of the list itself, and of the table.
    const entry = 4 + 2 * field;
    if (entry >= this.#view.getUint16(fields, true)) return null;
    const offset = this.#view.getUint16(fields + entry, true);
    return offset === 0 ? null : this.#at + offset;
  }

  #follow(at: number): number {
    return at + this.#view.getUint32(at, true);
  }
}
