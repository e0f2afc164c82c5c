import type { Bytes } from './byte-writer.ts';

/** Decodes text whose encoding nothing states: UTF-8 where it is valid, else Latin-1, which most writers mean. */
export function decodeText(bytes: Bytes): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

/** Reports whether bytes begin with a text, one byte per character. */
export function startsWith(bytes: Uint8Array, text: string): boolean {
  return String.fromCharCode(...bytes.subarray(0, text.length)) === text;
}

/** Reads a code of four characters. */
export function readFourCc(view: DataView, offset: number): string {
  return String.fromCharCode(
    view.getUint8(offset),
    view.getUint8(offset + 1),
    view.getUint8(offset + 2),
    view.getUint8(offset + 3),
  );
}
