/** Returns the bytes of a buffer, or of a view, without a copy. */
export function viewBytes(source: ArrayBufferView | ArrayBufferLike): Uint8Array<ArrayBuffer> {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source as ArrayBuffer);
}
