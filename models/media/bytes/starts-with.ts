/** Reports whether bytes begin with a text, one byte per character. */
export function startsWith(bytes: Uint8Array, text: string): boolean {
  return String.fromCharCode(...bytes.subarray(0, text.length)) === text;
}
